// Sending while the service fails or the snap is stopped: whatever happens, nothing is sent
// twice, and nothing that was sent is forgotten.
import type { Hash } from 'viem';

import { faultNames } from '../../dev/service/faults';
import type { FaultName } from '../../dev/service/faults';
import { approveAll } from '../../dev/wallet/user';
import { setupLiveSendBench } from '../support/live-send-bench';

const live = setupLiveSendBench();

/** What the site learns. */
type Outcome = { hash: Hash } | { code: number; data?: { transactionHash?: Hash } };

async function outcomeOf(sending: Promise<Hash>): Promise<Outcome> {
  return sending.then(
    (hash) => ({ hash }),
    (error: unknown) => error as Outcome,
  );
}

/** Compares what the site, the node and the snap have; then has it included. */
async function settle(outcome: Outcome | undefined): Promise<void> {
  const pool = await live.pool();
  const pending = (await live.activity()).filter(({ status }) => status === 'pending');
  expect(pool.length).toBeLessThanOrEqual(1);
  expect(pending.map(({ hash }) => hash)).toEqual(expect.arrayContaining(pool));
  if (outcome && 'hash' in outcome) expect(pool).toStrictEqual([outcome.hash]);
  if (outcome && 'code' in outcome && pool.length > 0) {
    expect(outcome.data?.transactionHash).toBe(pool[0]);
  }
  await live.mine();
  await live.poll();
  // What never arrived is known to be lost some time later.
  for (let times = 0; times < 2 && (await countPending()) > 0; times += 1) {
    await live.age(120_000);
    await live.poll();
  }
  expect(await countPending()).toBe(0);
  const after = await live.activity();
  const included = after.filter(({ status }) => status === 'included');
  expect(included.map(({ hash }) => hash)).toEqual(expect.arrayContaining(pool));
}

async function countPending(): Promise<number> {
  return (await live.activity()).filter(({ status }) => status === 'pending').length;
}

async function nextNonce(): Promise<number> {
  return live.node.getTransactionCount({ address: live.address });
}

beforeEach(() => {
  live.wallet.user.onDialog = approveAll;
  live.wallet.onSnapCall = undefined;
});

// A stalled answer ends with the client's own time limit, which is another test's.
const quick = faultNames.filter((name) => !name.startsWith('stalled'));

describe.each(quick)('the fault %s of the service', (name: FaultName) => {
  afterEach(() => live.bench.service.faults.clear());

  it('while filling: a clear error or a transaction, never half of one', async () => {
    live.bench.service.faults.next(name);
    const outcome = await outcomeOf(live.send());
    if ('code' in outcome) expect(await live.pool()).toStrictEqual([]);
    live.bench.service.faults.clear();
    await settle(outcome);
  });

  it('while sending: sent once, and followed', async () => {
    live.wallet.user.onDialog = (dialog) => {
      live.bench.service.faults.next(name);
      return dialog.approve();
    };
    const outcome = await outcomeOf(live.send({ nonce: await nextNonce() }));
    live.bench.service.faults.clear();
    await settle(outcome);
  });

  it('while polling: asked again, and settled then', async () => {
    const hash = await live.send();
    await live.mine();
    live.bench.service.faults.next(name);
    await live.poll();
    live.bench.service.faults.clear();
    await live.poll();
    expect((await live.activity())[0]).toMatchObject({ hash, status: 'included' });
  });
});

describe('a snap that is stopped while it sends', () => {
  it('while the node is answering follows what arrived', async () => {
    live.wallet.user.onDialog = (dialog) => {
      live.bench.service.faults.next('stalled-headers');
      return dialog.approve();
    };
    const outcome = outcomeOf(live.send({ nonce: await nextNonce() }));
    while ((await live.pool()).length === 0) await new Promise(setImmediate);
    await live.wallet.stopSnap();
    await outcome;
    live.bench.service.faults.clear();
    await settle(undefined);
  });
});
