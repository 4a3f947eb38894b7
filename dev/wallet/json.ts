// Values that leave the wallet cross a process border in MetaMask. This is that border.

/**
 * Copy a value through JSON, which drops what JSON cannot say.
 *
 * @param value - The value.
 * @returns The copy.
 */
export function toJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
