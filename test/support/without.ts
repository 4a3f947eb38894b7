/** Copies an object without some of its fields. */
export function without<Value extends object, Name extends string>(
  value: Value,
  ...names: Name[]
): Omit<Value, Name> {
  const kept = Object.entries(value).filter(([name]) => !names.includes(name as Name));
  return Object.fromEntries(kept) as Omit<Value, Name>;
}
