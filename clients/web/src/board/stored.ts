// Results that are computed once: by the object that they are about, or by a few plain values.

/** A function of an object: computed once for each. */
export function once<Of extends object, Value>(compute: (of: Of) => Value): (of: Of) => Value {
  const results = new WeakMap<Of, { readonly value: Value }>();
  return (of) => {
    const result = results.get(of) ?? { value: compute(of) };
    results.set(of, result);
    return result.value;
  };
}

/** A function of plain values: the last `most` results are stored. */
export function stored<Parts extends readonly (string | number | boolean)[], Value>(
  most: number,
  compute: (...parts: Parts) => Value,
): (...parts: Parts) => Value {
  const results = new Map<string, { readonly value: Value }>();
  return (...parts) => {
    const key = parts.join(" ");
    const result = results.get(key) ?? { value: compute(...parts) };
    results.set(key, result);
    if (results.size > most) results.delete(results.keys().next().value ?? "");
    return result.value;
  };
}
