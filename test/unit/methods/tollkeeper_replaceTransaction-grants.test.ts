import { callersOf } from '../../support/callers';
import { refusalOf } from '../../support/refusal';
import { createSendBench } from '../../support/send-bench';
import type { SendBench } from '../../support/send-bench';
import { createAccount, DAPP } from '../../support/test-app';

const METHOD = 'tollkeeper_replaceTransaction';

const OTHER = 'https://other.example';

async function setup(): Promise<SendBench & { hash: string }> {
  const bench = await createSendBench();
  return { ...bench, hash: (await bench.send()) as string };
}

describe('replacing', () => {
  it('refuses a site that was not granted the account as it refuses what was never sent', async () => {
    const { app, hash, pool, address } = await setup();
    const { rpc } = callersOf(app);
    const ask = async (origin: string, each: string): Promise<unknown> => {
      const params = [each, { action: 'cancel' }];
      return refusalOf(rpc(origin, METHOD, params));
    };
    const refusal = (each: string): object => ({
      code: -32001,
      message: `No transaction ${each} was sent by Tollkeeper from an account that was granted.`,
    });
    const strange = `0x${'11'.repeat(32)}`;
    expect(await ask(DAPP, strange)).toStrictEqual(refusal(strange));
    expect(await ask(OTHER, strange)).toStrictEqual(refusal(strange));
    expect(await ask(OTHER, hash)).toStrictEqual(refusal(hash));
    const outright = { account: address, params: [hash, { action: 'cancel' }] };
    const asking = rpc(OTHER, METHOD, outright);
    expect(await refusalOf(asking)).toHaveProperty('code', 4100);
    expect(pool.size).toBe(1);
  });

  it('sends nothing if the grant was taken back while the user was asked', async () => {
    const { app, edges, call, pool, hash } = await setup();
    const { answer } = edges.dialogs;
    edges.dialogs.answer = async (content, id) => {
      await app.services.grants.revoke(DAPP);
      return answer(content, id);
    };
    expect(await refusalOf(call(METHOD, [hash, { action: 'cancel' }]))).toHaveProperty(
      'code',
      4100,
    );
    expect([...pool.keys()]).toStrictEqual([hash]);
  });

  it('refuses another granted account than the one that sent it, and asks nobody', async () => {
    const { app, edges, call, pool, address, hash } = await setup();
    const other = await createAccount(app);
    const [sender] = await app.services.keyring.listAccounts();
    await app.services.grants.set(DAPP, [sender?.id ?? '', other.id]);
    const shown = edges.dialogs.shown.length;
    const params = [hash, { action: 'cancel' }];
    const asking = call(METHOD, { account: other.address, params });
    expect(await refusalOf(asking)).toStrictEqual({
      code: -32602,
      message: `The sender is ${address}, but the request is for the account ${other.address}.`,
    });
    expect(edges.dialogs.shown).toHaveLength(shown);
    expect([...pool.keys()]).toStrictEqual([hash]);
  });
});
