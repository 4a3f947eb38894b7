// Malformed requests on every route, while servers answer nonsense and the user decides at random:
// none may crash or hang the snap, cause an internal error, leak a secret or lose an account. `npm
// run fuzz` plays many more.
import { jest } from '@jest/globals';

import {
  openPlay,
  playRequest,
  runCases,
  type UserScript,
  type Play,
} from '../../dev/fuzz/play';
import { routes } from '../../dev/fuzz/routes';
import { setScene } from '../../dev/fuzz/scene';
import type { Scene } from '../../dev/fuzz/scene';
import { count, describeFailure, sum, type Summary } from '../../dev/fuzz/summary';
import { found } from '../fixtures/fuzz-found';
import { runs, SEED } from '../support/runs';

const { numRuns: COUNT } = runs(2_000);

// A case takes 0.1 s, or 0.3 s on a busy machine.
const TIME_LIMIT_MS = COUNT * 300;

const APPROVES_ALL: UserScript = {
  dialogs: [{ inputs: [], end: 'approve' }],
  answers: [true],
};

beforeEach(() => {
  // MetaMask's packages log each crash, and each worker that stops slowly.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});

it(
  'withstands malformed requests and answers',
  async () => {
    const summary: Summary = { rows: {}, failed: [] };
    await runCases({
      seed: SEED,
      count: COUNT,
      lanes: 2,
      onResult: (result) => count(summary, result),
    });
    expect(summary.failed.map(describeFailure)).toStrictEqual([]);
    const rows = Object.values(summary.rows);
    expect(rows.reduce((total, row) => total + sum(row), 0)).toBe(COUNT);
    expect(Object.keys(summary.rows).sort()).toStrictEqual(Object.keys(routes).sort());
    for (const name of ['dapp', 'companion', 'metamask']) {
      const row = summary.rows[name];
      expect(row?.answered).toBeGreaterThan(10);
      expect(row?.[-32602]).toBeGreaterThan(50);
    }
  },
  TIME_LIMIT_MS,
);

describe('a single request', () => {
  let scene: Scene;
  let play: Play;

  beforeAll(async () => {
    scene = await setScene();
    play = await openPlay(scene);
  });

  afterAll(async () => {
    await play?.wallet.stop();
    await scene?.stop();
  });

  it.each(found)('is rejected: $what', async ({ request, code }) => {
    const fuzzed = request(play.page.interfaceId);
    const { outcome, failure } = await playRequest(play, fuzzed, APPROVES_ALL);
    expect(failure).toBeUndefined();
    expect(outcome).toMatchObject({ kind: 'refused', code });
  });

  it('is reported if it kills the worker', async () => {
    const { wallet } = play;
    wallet.onSnapCall = async () => wallet.stopSnap();
    const fuzzed = {
      handler: 'onRpcRequest',
      origin: 'https://g0.example',
      request: { method: 'eth_accounts' },
      isFresh: true,
    } as const;
    const { failure } = await playRequest(play, fuzzed, APPROVES_ALL);
    wallet.onSnapCall = undefined;
    expect(failure).toMatchObject({ kind: 'worker died' });
  });
});
