// MetaMask as a page sees it, with the snap behind it: what each method answers is a table.
import type { Listener, RequestArguments } from '../../packages/provider/src';

/** Where the snap is published. */
export const SNAP_ID = 'npm:tollkeeper-snap';

/** Answers a method, or throws what a wallet throws. */
export type FakeAnswer = (params: unknown) => unknown;

/** A wallet that writes down what it is asked. */
export type FakeWallet = ReturnType<typeof createFakeWallet>;

/** The snap as the wallet lists it. */
export function createSnapRow(version = '0.1.0', more: object = {}): object {
  return {
    [SNAP_ID]: { id: SNAP_ID, version, enabled: true, blocked: false, ...more },
  };
}

/** Creates a wallet that has the snap. */
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
    /** What a page finds. */
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
    /** What it, and the snap, was asked, in order. */
    asked,
    askedSnap,
    /** Answers of the wallet itself and of the snap; may be changed at any time. */
    answers,
    snapAnswers,
    /** Emits an event of the wallet. */
    emit: (event: string, value: unknown) => {
      for (const [name, listener] of listeners) if (name === event) listener(value);
    },
  };
}

function find(answers: Record<string, FakeAnswer>, method: string): FakeAnswer {
  const answer = answers[method];
  if (answer) return answer;
  throw Object.assign(new Error(`${method} is not there.`), { code: -32601 });
}
