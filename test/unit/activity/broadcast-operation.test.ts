import { createBroadcastOperation } from '../../../src/activity/broadcast-operation';
import type { OutgoingOperation } from '../../../src/activity/broadcast-operation';
import { toUserOperationJson } from '../../../src/eth/user-operation';
import type { SentTransaction } from '../../../src/state/sent-transaction';
import { failureOf } from '../../support/error-of';
import { breaking, serving } from '../../support/fake-fetch';
import type { Server } from '../../support/fake-fetch';
import { askedOf, refuses } from '../../support/fake-node';
import type { NodeAnswers } from '../../support/fake-node';
import { createLedgerBench } from '../../support/ledger-bench';
import { OPERATION } from '../../support/plain-operation';
import { refusalOf } from '../../support/refusal';
import {
  createServers,
  foundOperation,
  pendingOperation,
} from '../../support/sent-operations';
import type { Servers } from '../../support/sent-operations';
import { hashOf } from '../../support/sent-transactions';
import { withoutFields } from '../../support/transactions';

const NOW = 1_700_000_000_000;

const SEND = 'eth_sendUserOperation';

const KEPT = {
  ...pendingOperation(1),
  sentAt: NOW,
  operation: toUserOperationJson(OPERATION),
};

const OUTGOING = withoutFields(KEPT, [
  'status',
  'sentAt',
  'operation',
]) as unknown as OutgoingOperation;

type Bench = Servers & {
  send: () => Promise<string>;
  stored: () => SentTransaction[];
  steps: string[];
};

/** Send to a bundler that takes it. */
function setup(answers: NodeAnswers = {}): Bench {
  const servers = createServers({ bundler: { [SEND]: hashOf(1), ...answers } });
  const bench = createLedgerBench([]);
  const steps: string[] = [];
  const broadcast = createBroadcastOperation({
    ledger: bench.ledger,
    now: () => NOW,
    tracker: {
      follow: async (keep) => {
        const result = await keep();
        const kept = await bench.ledger.listPending();
        steps.push(`follow ${kept.length}, ${servers.bundlerSide.calls.length} asked`);
        return result;
      },
      watch: async (chainId) => {
        await Promise.resolve();
        steps.push(`watch ${chainId}`);
      },
    },
  });
  return {
    ...servers,
    steps,
    stored: bench.stored,
    send: async () => broadcast({ id: 1n, ...servers }, OUTGOING, OPERATION),
  };
}

const losing =
  ({ bundlerSide }: Servers): Server =>
  (request) =>
    request.body?.includes(SEND) ? breaking(request) : serving(bundlerSide)(request);

describe('sending a user operation', () => {
  it('keeps and follows it before it goes out, and watches the chain after', async () => {
    const { send, steps, stored, bundlerSide } = setup();
    expect(await send()).toBe(hashOf(1));
    expect(steps).toStrictEqual(['follow 1, 0 asked', 'watch 1']);
    expect(stored()).toStrictEqual([KEPT]);
    expect(askedOf(bundlerSide)).toStrictEqual([SEND]);
  });

  it('forgets what the bundler refuses, and tells why', async () => {
    const fault = { code: -32500, message: "AA21 didn't pay prefund" };
    const { send, stored } = setup({ [SEND]: refuses(fault) });
    const { code, message } = await refusalOf(send());
    expect(code).toBe(-32500);
    expect(message).toContain('AA21');
    expect(stored()).toStrictEqual([]);
  });

  it('is content with one that the bundler has already', async () => {
    const { send, stored } = setup({
      [SEND]: refuses({ code: -32602, message: 'already known' }),
      eth_getUserOperationByHash: foundOperation(1) as never,
    });
    expect(await send()).toBe(hashOf(1));
    expect(stored()).toStrictEqual([KEPT]);
  });

  it('asks for it where the answer was lost, and is content if it is there', async () => {
    const bench = setup({ eth_getUserOperationByHash: foundOperation(1) as never });
    bench.network.serve('https://bundler.example', losing(bench));
    expect(await bench.send()).toBe(hashOf(1));
    expect(bench.stored()).toStrictEqual([KEPT]);
  });

  it('keeps it where nobody can tell, and says so', async () => {
    const bench = setup();
    bench.network.serve('https://bundler.example', losing(bench));
    const { message, context } = await failureOf(() => bench.send());
    expect(message).toContain(
      `It is user operation ${hashOf(1)}, which is followed, and sent again until it arrives.`,
    );
    expect(context).toMatchObject({ mayBeDone: true, userOperationHash: hashOf(1) });
    expect(bench.stored()).toStrictEqual([KEPT]);
  });

  it('keeps it where the bundler tells of another hash, and tells both', async () => {
    const { send, stored, bundlerSide } = setup({ [SEND]: hashOf(9) });
    const { message } = await refusalOf(send());
    expect(message).toContain(hashOf(9));
    expect(message).toContain(hashOf(1));
    expect(stored()).toStrictEqual([KEPT]);
    expect(askedOf(bundlerSide)).toStrictEqual([SEND]);
  });
});
