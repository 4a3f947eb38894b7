import { errorOf, toWholeText } from '../../support/error-of';
import { refusalOf } from '../../support/refusal';
import { createSetChainBench as setup, full, KEY } from '../../support/set-chain-bench';

const ROOT = 'tollkeeper_setChain: params';

describe('a tollkeeper_setChain that is malformed', () => {
  const noUrl =
    'must be a URL with https:// (or http:// on this machine) and without credentials in it.';
  const noKey = 'must be a string of 1 to 256 characters.';

  it.each([
    [{ rpcUrl: `http://node.example/${KEY}` }, `rpcUrl ${noUrl}`],
    [{ rpcUrl: `https://user:${KEY}@node.example` }, `rpcUrl ${noUrl}`],
    [{ gasBaseUrl: 'gas.example' }, `gasBaseUrl ${noUrl}`],
    [{ bundlerUrl: 7 }, `bundlerUrl ${noUrl}`],
    [{ apiKey: '' }, `apiKey ${noKey}`],
    [{ apiKey: { value: KEY } }, `apiKey ${noKey}`],
    [{ bundlerApiKey: KEY.repeat(9) }, `bundlerApiKey ${noKey}`],
    [{ gasAuth: KEY }, 'gasAuth must be one of "basic", "path".'],
    [{ entryPoint: '0.9' }, 'entryPoint must be one of "0.6", "0.7", "0.8".'],
    [{ paymasterContext: [KEY] }, 'paymasterContext must be an object.'],
    [{ colour: KEY }, 'colour is not expected here.'],
    [{ colour: null }, 'colour is not expected here.'],
    [{ toString: null }, 'toString is not expected here.'],
    [{ constructor: null }, 'constructor is not expected here.'],
  ])('is refused by name and changes nothing: %j', async (fields, reason) => {
    const { set, backend } = setup();
    await set(full);
    const before = backend.document;
    const error = await errorOf(() => set({ wsUrl: 'wss://other.example', ...fields }));
    expect(error).toMatchObject({ code: -32602, message: `${ROOT}.${reason}` });
    expect(toWholeText(error)).not.toContain(KEY);
    expect(backend.document).toBe(before);
  });

  const noChain = 'a chain id (hex, decimal or CAIP-2 such as "eip155:1").';

  it.each([
    [{}, `.chainId is missing: it must be ${noChain}`],
    [{ chainId: 'mainnet' }, `.chainId must be ${noChain}`],
    [{ chainId: 0 }, `.chainId must be ${noChain}`],
    [{ chainId: null }, `.chainId must be ${noChain}`],
    ['text', ' must be an object.'],
    [null, `.chainId is missing: it must be ${noChain}`],
  ])('is refused without a chain: %j', async (params, reason) => {
    const { setAny, backend } = setup();
    expect(await refusalOf(setAny(params))).toStrictEqual({
      code: -32602,
      message: `${ROOT}${reason}`,
    });
    expect(backend.saves).toBe(0);
  });

  it.each([[[]], [[{ chainId: 1 }, { chainId: 2 }]]])(
    'is refused for another number of objects than one: %j',
    async (params) => {
      const { setAny, backend } = setup();
      expect(await refusalOf(setAny(params))).toHaveProperty('code', -32602);
      expect(backend.saves).toBe(0);
    },
  );
});
