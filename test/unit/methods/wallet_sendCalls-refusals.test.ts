// What wallet_sendCalls refuses, with the codes of EIP-5792.
import { CALLS, createCallsBench, PAYMASTER_URL } from '../../support/calls-bench';
import { refusalOf } from '../../support/refusal';
import { RECIPIENT } from '../../support/send-bench';

const service = { url: PAYMASTER_URL };

const ROOT = 'wallet_sendCalls: params[0]';

const callWith = (capabilities: object): Record<string, unknown> => ({
  calls: [{ to: RECIPIENT, capabilities }],
});

const notSupported = (name: string): object => ({
  code: 5700,
  message: `The capability "${name}" is not supported here, and it is not marked as optional.`,
});

describe('wallet_sendCalls refuses', () => {
  it.each<[string, Record<string, unknown>, object]>([
    [
      'another version',
      { version: '1.0' },
      {
        code: -32602,
        message: `${ROOT}.version must be 2.0.0, the version of EIP-5792 that is spoken here.`,
      },
    ],
    [
      'no calls',
      { calls: [] },
      { code: -32602, message: `${ROOT}.calls must be an array of 1 to 100 entries.` },
    ],
    [
      'no word about atomicity',
      { atomicRequired: undefined },
      {
        code: -32602,
        message: `${ROOT}.atomicRequired is missing: it must be true or false.`,
      },
    ],
    [
      'a creation of nothing',
      { calls: [{ value: '0x1' }] },
      {
        code: -32602,
        message: `${ROOT}.calls[0]: a contract creation (no "to") needs data; without code it burns its value.`,
      },
    ],
    [
      'an empty id',
      { id: '' },
      { code: -32602, message: `${ROOT}.id must be a string of 1 to 8194 characters.` },
    ],
    [
      'an id that is too long',
      { id: 'x'.repeat(8_195) },
      { code: -32602, message: `${ROOT}.id must be a string of 1 to 8194 characters.` },
    ],
    [
      'what it does not know',
      { gas: '0x1' },
      { code: -32602, message: `${ROOT}.gas is not expected here.` },
    ],
    [
      'too many calls',
      { calls: Array.from({ length: 101 }, () => CALLS[0]) },
      { code: 5740, message: 'There are 101 calls, but at most 100 are sent at once.' },
    ],
    ['an unknown capability', { capabilities: { foo: {} } }, notSupported('foo')],
    [
      'an unknown capability that is no object',
      { capabilities: { foo: true } },
      notSupported('foo'),
    ],
    ['an unknown capability of a call', callWith({ bar: {} }), notSupported('bar')],
    [
      'a paymaster for one call',
      callWith({ paymasterService: service }),
      notSupported('paymasterService'),
    ],
    [
      'a paymaster for an ordinary account',
      { capabilities: { paymasterService: service } },
      notSupported('paymasterService'),
    ],
    [
      'a paymaster with credentials in its address',
      { capabilities: { paymasterService: { url: 'https://me:pass@p.example' } } },
      {
        code: -32602,
        message:
          `${ROOT}.capabilities.paymasterService.url must be a URL with https:// (in ` +
          'development builds also http:// on this machine) and without credentials in it.',
      },
    ],
    [
      'a chain without a node',
      { chainId: '0x5' },
      {
        code: 5710,
        message:
          "No node is configured for eip155:5, and it is not the snap's own network in the " +
          'wallet. Configure one with tollkeeper_setChain.',
      },
    ],
  ])('%s', async (_what, fields, refusal) => {
    const { sendCalls, edges, batches } = await createCallsBench();
    const shown = edges.dialogs.shown.length;
    const refused = await refusalOf(sendCalls(fields));
    expect(refused).toStrictEqual(refusal);
    expect(edges.dialogs.shown).toHaveLength(shown);
    expect(batches() ?? []).toStrictEqual([]);
  });
});

describe('wallet_sendCalls takes', () => {
  it.each([
    { capabilities: { foo: { optional: true } } },
    { capabilities: { paymasterService: { ...service, optional: true } } },
    callWith({ bar: { optional: true }, paymasterService: { optional: true } }),
  ])('capabilities that are optional (%j)', async (fields) => {
    const { sendCalls, paymaster } = await createCallsBench();
    expect(await sendCalls({ id: 'mine', ...fields })).toStrictEqual({ id: 'mine' });
    expect(paymaster.calls).toStrictEqual([]);
  });
});
