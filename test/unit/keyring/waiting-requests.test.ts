import type { Json } from '@metamask/utils';
import { recoverMessageAddress } from 'viem';

import { createRequestBench as setup, idOf } from '../../support/keyring-bench';
import { lower } from '../../support/records';
import { refusalOf } from '../../support/refusal';

describe('a request that waits', () => {
  it('is signed when it is approved, and its result reaches MetaMask', async () => {
    const { submit, companion, metamask, account, ids } = await setup();
    await submit(idOf(1));
    expect(
      await companion('keyring_approveRequest', { id: idOf(1), data: {} }),
    ).toBeNull();
    const signature = metamask.requests.get(idOf(1)) as `0x${string}`;
    const signer = await recoverMessageAddress({ message: { raw: '0x12' }, signature });
    expect(lower(signer)).toBe(account.address);
    expect(await ids()).toStrictEqual([]);
  });

  it('is not signed when it is rejected', async () => {
    const { submit, companion, metamask, ids } = await setup();
    await submit(idOf(1));
    await submit(idOf(2));
    expect(await companion('keyring_rejectRequest', { id: idOf(1) })).toBeNull();
    expect(metamask.requests.get(idOf(1))).toBe('rejected');
    expect(await ids()).toStrictEqual([idOf(2)]);
  });

  it('survives that the worker is stopped', async () => {
    const { submit, companion, metamask, restart, ids } = await setup();
    await submit(idOf(1));
    restart();
    expect(await ids()).toStrictEqual([idOf(1)]);
    await companion('keyring_approveRequest', { id: idOf(1), data: {} });
    expect(metamask.requests.get(idOf(1))).toMatch(/^0x/u);
  });

  it('is gone, with nothing signed, when MetaMask does not wait any more', async () => {
    const { submit, companion, metamask, ids } = await setup();
    await submit(idOf(1));
    metamask.requests.clear();
    const approve = companion('keyring_approveRequest', { id: idOf(1), data: {} });
    expect(await refusalOf(approve)).toStrictEqual({
      code: -32001,
      message: 'MetaMask knows no such account or request.',
    });
    expect(await ids()).toStrictEqual([]);
  });

  it('waits on while MetaMask cannot be told', async () => {
    const { submit, companion, app, metamask, ids } = await setup();
    await submit(idOf(1));
    app.edges.events.take = () => Promise.reject(new Error('lost'));
    const reject = async (): Promise<Json> =>
      companion('keyring_rejectRequest', { id: idOf(1) });
    expect(await refusalOf(reject())).toHaveProperty('code', -32002);
    expect(await ids()).toStrictEqual([idOf(1)]);
    app.edges.events.take = metamask.take;
    await reject();
    expect(await ids()).toStrictEqual([]);
  });

  it('waits on if its account was deleted, until it is rejected', async () => {
    const { submit, companion, app, account, ids } = await setup();
    await submit(idOf(1));
    await app.services.keyring.deleteAccount(account.id);
    const approve = companion('keyring_approveRequest', { id: idOf(1), data: {} });
    expect(await refusalOf(approve)).toHaveProperty('code', -32001);
    expect(await ids()).toStrictEqual([idOf(1)]);
  });

  it.each(['keyring_getRequest', 'keyring_rejectRequest', 'keyring_approveRequest'])(
    'must be there for %s',
    async (method) => {
      const { companion } = await setup();
      const data = method === 'keyring_approveRequest' ? { data: {} } : {};
      expect(
        await refusalOf(companion(method, { id: idOf(9), ...data })),
      ).toStrictEqual({
        code: -32001,
        message: `No request with the id ${idOf(9)} waits for approval.`,
      });
    },
  );
});

describe('when the client was started anew', () => {
  it('nothing waits any more, and it goes with the next request at the latest', async () => {
    const { submit, app, ids } = await setup();
    await submit(idOf(1));
    await app.services.session.begin();
    expect(await ids()).toStrictEqual([]);
    await submit(idOf(2));
    expect(Object.keys((await app.services.store.read()).requests)).toStrictEqual([
      idOf(2),
    ]);
  });

  it('what does not wait is purged, and nothing else', async () => {
    const { submit, app, ids } = await setup();
    await submit(idOf(1));
    await app.services.requests.purge();
    expect(await ids()).toStrictEqual([idOf(1)]);
    await app.services.session.begin();
    await submit(idOf(2));
    await app.services.requests.purge();
    expect((await app.services.store.read()).requests).not.toHaveProperty(idOf(1));
    expect(await ids()).toStrictEqual([idOf(2)]);
  });
});
