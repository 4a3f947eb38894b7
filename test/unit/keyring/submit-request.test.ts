import { refusalOf } from '../../support/refusal';
import { createSignBench } from '../../support/sign-bench';

const UNKNOWN = '11111111-1111-4111-8111-111111111111';
const SMART = { type: 'eip155:erc4337', scopes: ['eip155:5'] };
const NO_MESSAGES =
  ' Its contract, SimpleAccount, has no ERC-1271: nobody could verify the signature.';

describe('submitRequest', () => {
  it('refuses an account that is not there', async () => {
    const { sign } = createSignBench();
    const asked = { account: UNKNOWN, method: 'personal_sign', params: [] };
    expect(await refusalOf(sign(asked))).toStrictEqual({
      code: -32001,
      message: expect.stringContaining(`no account with the id ${UNKNOWN}.`) as string,
    });
  });

  it.each(['eth_signTypedData_v2', 'eth_sign_v2', 'toString', ''])(
    'refuses the method %j',
    async (method) => {
      const { sign, create } = createSignBench();
      const { id } = await create();
      expect(await refusalOf(sign({ account: id, method, params: [] }))).toStrictEqual({
        code: 4200,
        message: `${method} is not a signing method.`,
      });
    },
  );

  it('refuses eth_sign with the reason', async () => {
    const { sign, create } = createSignBench();
    const { id } = await create();
    const asked = { account: id, method: 'eth_sign', params: [] };
    expect(await refusalOf(sign(asked))).toStrictEqual({
      code: 4200,
      message:
        'eth_sign is not offered: it signs a hash that nobody can read, which may be a ' +
        'transaction. Use personal_sign or eth_signTypedData_v4.',
    });
  });

  it.each([
    ['personal_sign', NO_MESSAGES],
    ['eth_signTypedData_v1', NO_MESSAGES],
    ['eth_signTypedData_v3', NO_MESSAGES],
    ['eth_signTypedData_v4', NO_MESSAGES],
    ['eth_signTransaction', ''],
  ])('refuses %s for a smart account, with the reason', async (method, reason) => {
    const { sign, create } = createSignBench();
    const { id, address } = await create(SMART);
    expect(await refusalOf(sign({ account: id, method, params: [] }))).toStrictEqual({
      code: 4200,
      message: `The account ${address} is of type eip155:erc4337 and does not offer ${method}.${reason}`,
    });
  });

  it.each([
    'eth_prepareUserOperation',
    'eth_patchUserOperation',
    'eth_signUserOperation',
  ])('refuses %s for an EOA', async (method) => {
    const { sign, create } = createSignBench();
    const { id, address } = await create();
    expect(await refusalOf(sign({ account: id, method, params: [] }))).toStrictEqual({
      code: 4200,
      message: `The account ${address} is of type eip155:eoa and does not offer ${method}.`,
    });
  });

  it('refuses a scope that the account does not serve, before it reads the params', async () => {
    const { sign, create } = createSignBench();
    const { id, address } = await create(SMART);
    const asked = { account: id, method: 'eth_patchUserOperation', params: null };
    expect(await refusalOf(sign({ ...asked, scope: 1n }))).toStrictEqual({
      code: -32602,
      message: `The account ${address} serves eip155:5, not eip155:1.`,
    });
  });

  it('asks nobody before the request was found right', async () => {
    const { sign, create, consents } = createSignBench();
    const { id } = await create();
    await refusalOf(sign({ account: id, method: 'personal_sign', params: [] }));
    expect(consents.asked).toHaveLength(0);
  });
});
