import { handleKeyringRequest } from '../../../src/handlers/keyring-request';
import { assertSize, MAX_REQUEST } from '../../../src/handlers/request-size';
import { handleRpcRequest } from '../../../src/handlers/rpc-request';
import { refusalIn, refusalOf } from '../../support/refusal';
import { createTestApp, DAPP } from '../../support/test-app';

const tooLarge = (method: string): { code: number; message: string } => ({
  code: -32602,
  message: `${method}: params are too large: at most 5000000 characters are taken.`,
});

/** Nested far deeper than any stack. */
function nest(depth: number): unknown {
  let value: unknown = 'core';
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

describe('the size of a request', () => {
  it.each<[string, unknown]>([
    ['no params', undefined],
    ['an empty array', []],
    ['a message of a million bytes', [`0x${'ab'.repeat(1_000_000)}`, '0x']],
    ['a million numbers', Array.from({ length: 1_000_000 }, () => 1)],
    ['arrays in arrays in arrays', nest(1_000_000)],
  ])('lets %s pass', (_what, params) => {
    expect(() => assertSize('m', params)).not.toThrow();
  });

  it.each<[string, unknown]>([
    ['one long text', ['x'.repeat(MAX_REQUEST)]],
    ['one long key', [{ ['x'.repeat(MAX_REQUEST)]: 1 }]],
    ['many short ones', Array.from({ length: 1_000_000 }, () => 'xxx')],
    ['many empty objects', Array.from({ length: 2_000_000 }, () => ({}))],
    ['depth alone', nest(2_000_000)],
  ])('ends with %s', async (_what, params) => {
    expect(await refusalIn(() => assertSize('m', params))).toStrictEqual(tooLarge('m'));
  });

  it('is looked at before anything else, on both routes', async () => {
    const { services, edges } = createTestApp();
    const params = ['x'.repeat(MAX_REQUEST)];
    const sent = { method: 'personal_sign', params };
    const asked = handleRpcRequest({ origin: DAPP, request: sent }, services);
    expect(await refusalOf(asked)).toStrictEqual(tooLarge('personal_sign'));
    const submitted = { method: 'keyring_submitRequest', params };
    const byMetaMask = handleKeyringRequest(
      { origin: 'metamask', request: submitted },
      services,
    );
    expect(await refusalOf(byMetaMask)).toStrictEqual(
      tooLarge('keyring_submitRequest'),
    );
    expect(edges.backend.loads).toBe(0);
  });
});
