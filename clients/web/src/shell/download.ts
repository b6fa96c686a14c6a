// Saves a text as a file.

const REVOKE_AFTER_MS = 60_000;

/** Pass a text to the browser's downloads. */
export function downloadFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the file later.
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS);
}
