// MetaMask and the snap, as a page sees them. Answers come from a table.
import type { Listener, RequestArguments } from '../../packages/provider/src';

export const SNAP_ID = 'npm:tollkeeper-snap';

export type FakeAnswer = (params: unknown) => unknown;

export type FakeWallet = ReturnType<typeof createFakeWallet>;

/** Creates the result of wallet_getSnaps and wallet_requestSnaps. */
export function createSnapRow(version = '0.1.0', more: object = {}): object {
  return {
    [SNAP_ID]: { id: SNAP_ID, version, enabled: true, blocked: false, ...more },
  };
}

export function createFakeWallet() {
  const listeners: [event: string, listener: (value: unknown) => void][] = [];
  const asked: RequestArguments[] = [];
  const askedSnap: RequestArguments[] = [];
  const snapAnswers: Record<string, FakeAnswer> = { eth_accounts: () => [] };
  const invoke: FakeAnswer = (params) => {
    const { request } = params as { request: RequestArguments };
    askedSnap.push(request);
    return find(snapAnswers, request.method)(request.params);
  };
  const answers: Record<string, FakeAnswer> = {
    eth_chainId: () => '0x7a69',
    wallet_getSnaps: () => createSnapRow(),
    wallet_requestSnaps: () => createSnapRow(),
    wallet_invokeSnap: invoke,
    wallet_invokeKeyring: invoke,
  };
  return {
    ethereum: {
      request: async (args: RequestArguments) => {
        asked.push(args);
        await Promise.resolve();
        return find(answers, args.method)(args.params);
      },
      on: (event: string, listener: Listener) => {
        listeners.push([event, listener as (value: unknown) => void]);
      },
    },
    asked,
    askedSnap,
    answers,
    snapAnswers,
    emit: (event: string, value: unknown) => {
      for (const [name, listener] of listeners) if (name === event) listener(value);
    },
  };
}

function find(answers: Record<string, FakeAnswer>, method: string): FakeAnswer {
  const answer = answers[method];
  if (answer) return answer;
  throw Object.assign(new Error(`There is no ${method}.`), { code: -32601 });
}
