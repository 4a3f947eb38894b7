// What all snippets share: what they are made of, and how the provider is made.
import type { Given } from '../given';
import type { MethodRow, Params } from '../row';
import { print } from './print';

/** What a snippet is made of. */
export type Subject = { row: MethodRow; params: Params; given: Given };

/** Where the snap is published: the provider knows it by itself. */
const PUBLISHED = 'npm:tollkeeper-snap';

/** Write how the provider is created. */
export function writeProvider({ given: { snapId } }: Subject): string {
  return snapId === PUBLISHED
    ? 'createProvider()'
    : `createProvider(${print({ snapId })})`;
}

/** Make the request that the provider is asked. */
export function toRequest({ row, params, given }: Subject): {
  method: string;
  params: Params;
} {
  const { name: method } = row;
  if (!row.isWallets) return { method, params };
  const { snapId } = given;
  return {
    method: 'wallet_invokeSnap',
    params: { snapId, request: { method, params } },
  };
}

/** Write imports, in the order of their modules' names. */
export function writeImports(
  names: Readonly<Record<string, readonly string[]>>,
): string {
  return Object.entries(names)
    .map(([module, own]) => `import { ${own.join(', ')} } from '${module}';\n`)
    .join('');
}
