import type { Json } from '@metamask/utils';

import { createRequestBench as setup, idOf } from '../../support/keyring-bench';
import { refusalOf } from '../../support/refusal';
import { COMPANION } from '../../support/test-app';

describe('a signing request', () => {
  it('is answered at once unless the user chose otherwise', async () => {
    const { submit, ids } = await setup('synchronous');
    expect(await submit(idOf(1))).toMatchObject({ pending: false });
    expect(await ids()).toStrictEqual([]);
  });

  it('waits, and MetaMask is told where its user decides', async () => {
    const { submit, companion, account } = await setup();
    expect(await submit(idOf(1))).toStrictEqual({
      pending: true,
      redirect: {
        message: 'Approve or reject this request on the Tollkeeper page.',
        url: `${COMPANION}/?request=${idOf(1)}`,
      },
    });
    const request = {
      id: idOf(1),
      account: account.id,
      origin: 'metamask',
      scope: '',
      request: { method: 'personal_sign', params: ['0x12', account.address] },
    };
    expect(await companion('keyring_listRequests')).toStrictEqual([request]);
    expect(await companion('keyring_getRequest', { id: idOf(1) })).toStrictEqual(
      request,
    );
  });

  it.each<[string, { method?: string; params?: Json }, number]>([
    ['for another address', { params: ['0x12', 'no address'] }, -32602],
    ['of an unknown method', { method: 'eth_sign' }, 4200],
    ['of a method of other accounts', { method: 'eth_signUserOperation' }, 4200],
    [
      'that is too large',
      { params: ['x'.repeat(1_000_001), `0x${'0'.repeat(40)}`] },
      -32602,
    ],
  ])('does not wait if it is one %s', async (_what, asked, code) => {
    const { submit, ids } = await setup();
    expect(await refusalOf(submit(idOf(1), asked))).toHaveProperty('code', code);
    expect(await ids()).toStrictEqual([]);
  });

  it.each(['eth_prepareUserOperation', 'eth_patchUserOperation'])(
    'never waits for %s, which MetaMask must have answered at once',
    async (method) => {
      const { submit, ids } = await setup();
      // Refused here, since the account is an EOA, but not kept.
      expect(await refusalOf(submit(idOf(1), { method }))).toHaveProperty('code', 4200);
      expect(await ids()).toStrictEqual([]);
    },
  );

  it('is refused if its id waits already', async () => {
    const { submit, ids } = await setup();
    await submit(idOf(1));
    expect(await refusalOf(submit(idOf(1)))).toStrictEqual({
      code: -32602,
      message: `keyring_submitRequest: params.id must be new: ${idOf(1)} waits already.`,
    });
    expect(await ids()).toStrictEqual([idOf(1)]);
  });

  it('is refused if fifty wait', async () => {
    const { submit, ids } = await setup();
    for (let n = 0; n < 50; n += 1) await submit(idOf(n));
    expect(await refusalOf(submit(idOf(50)))).toStrictEqual({
      code: -32005,
      message: '50 requests wait for approval already; approve or reject them first.',
    });
    expect(await ids()).toHaveLength(50);
  });
});
