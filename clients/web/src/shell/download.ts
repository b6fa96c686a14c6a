// A text as a file for the person to keep.

const REVOKE_AFTER_MS = 60_000;

/** Hand a text to the browser's downloads. */
export function downloadFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it in its own time.
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS);
}
