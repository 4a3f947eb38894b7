import { createCoolDown } from '../../../src/handlers/cool-down';
import type { CoolDown } from '../../../src/handlers/cool-down';
import { HOME_ORIGIN } from '../../../src/handlers/home/signing';
import type { PrivateState } from '../../../src/state/private-state';
import { contextOf, refusalOf } from '../../support/refusal';
import { createAccountBench } from '../../support/stored-accounts';

const DAPP = 'https://dapp.example';

const START = 1_700_000_000_000;

type Bench = {
  coolDown: CoolDown;
  clock: { time: number };
  /** Refuse so many dialogs, a second apart. */
  refuse: (times: number, origin?: string) => Promise<void>;
  /** For how many seconds the origin has to wait; undefined if it may ask. */
  findWait: (origin?: string) => Promise<number | undefined>;
  stored: () => PrivateState['refusals'];
};

function setup(
  bench = createAccountBench(),
  clock: Bench['clock'] = { time: START },
): Bench {
  const coolDown = createCoolDown({ store: bench.store, now: () => clock.time });
  return {
    coolDown,
    clock,
    refuse: async (times, origin = DAPP) => {
      for (let time = 0; time < times; time += 1) {
        clock.time += 1_000;
        await coolDown.note(origin, false);
      }
    },
    findWait: async (origin = DAPP) => {
      const context = await coolDown.assertOver(origin).then(
        () => undefined,
        (error: unknown) => contextOf(Promise.reject(error as Error)),
      );
      const { rate } = (context ?? {}) as { rate?: { backoff_seconds: number } };
      return rate?.backoff_seconds;
    },
    stored: () => (bench.backend.document as PrivateState).refusals,
  };
}

describe('a site whose dialogs are refused', () => {
  it('may ask on after two, and waits half a minute after the third', async () => {
    const { coolDown, refuse, findWait } = setup();
    await refuse(2);
    expect(await findWait()).toBeUndefined();
    await refuse(1);
    expect(await refusalOf(coolDown.assertOver(DAPP))).toStrictEqual({
      code: -32005,
      message:
        '3 or more dialogs of this origin were refused in a row; it may open the next one in 30 s.',
    });
  });

  it('waits until then and no longer', async () => {
    const { clock, refuse, findWait } = setup();
    await refuse(3);
    clock.time += 29_999;
    expect(await findWait()).toBe(1);
    clock.time += 1;
    expect(await findWait()).toBeUndefined();
  });

  it('waits twice as long for each further refusal, up to an hour', async () => {
    const { clock, refuse, findWait } = setup();
    await refuse(3);
    const waits = [];
    for (let time = 0; time < 9; time += 1) {
      const wait = (await findWait()) ?? 0;
      waits.push(wait);
      clock.time += wait * 1_000;
      await refuse(1);
    }
    expect(waits).toStrictEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
  });

  it('begins anew with a yes', async () => {
    const { clock, coolDown, refuse, findWait, stored } = setup();
    await refuse(4);
    clock.time += 60_000;
    await coolDown.note(DAPP, true);
    expect(stored()).toStrictEqual({});
    await refuse(2);
    expect(await findWait()).toBeUndefined();
  });

  it('is not stored anything of while its dialogs are approved', async () => {
    const bench = createAccountBench();
    const { coolDown } = setup(bench);
    await coolDown.note(DAPP, true);
    expect(bench.backend.saves).toBe(0);
  });

  it('is not hindered by refusals that are more than a minute apart', async () => {
    const { clock, refuse, findWait } = setup();
    for (let time = 0; time < 6; time += 1) {
      await refuse(1);
      clock.time += 60_000;
    }
    expect(await findWait()).toBeUndefined();
  });

  it('is remembered for a day once it had to wait', async () => {
    const { clock, refuse, findWait } = setup();
    await refuse(3);
    clock.time += 23 * 3_600_000;
    await refuse(1);
    expect(await findWait()).toBe(60);
    clock.time += 24 * 3_600_000;
    await refuse(1);
    expect(await findWait()).toBeUndefined();
  });

  it('does not get around it by waiting until the snap is stopped', async () => {
    const bench = createAccountBench();
    const { refuse } = setup(bench);
    await refuse(3);
    const later = createAccountBench();
    later.backend.document = bench.backend.document;
    expect(await setup(later, { time: START + 10_000 }).findWait()).toBe(23);
  });

  it('does not make others wait, nor what the user does in the wallet', async () => {
    const { coolDown, refuse, findWait, stored } = setup();
    await refuse(3);
    expect(await findWait('https://other.example')).toBeUndefined();
    for (const own of ['metamask', HOME_ORIGIN]) {
      await refuse(5, own);
      expect(await findWait(own)).toBeUndefined();
    }
    expect(Object.keys(stored())).toStrictEqual([DAPP]);
    expect(await coolDown.assertOver('__proto__')).toBeUndefined();
  });

  it('does not wait because of a clock that was set back', async () => {
    const { clock, refuse, findWait } = setup();
    await refuse(5);
    clock.time -= 3_600_000;
    expect(await findWait()).toBeUndefined();
    await refuse(1);
    expect(await findWait()).toBeUndefined();
  });

  it('is one of a hundred that are remembered, the newest', async () => {
    const { clock, refuse, stored } = setup();
    for (let site = 0; site < 102; site += 1) {
      await refuse(1, `https://${site}.example`);
      clock.time -= 900;
    }
    const origins = Object.keys(stored());
    expect(origins).toHaveLength(100);
    expect(origins[0]).toBe('https://2.example');
    expect(origins.at(-1)).toBe('https://101.example');
  });

  it('is forgotten when another one is refused long after', async () => {
    const { clock, refuse, stored } = setup();
    await refuse(2);
    clock.time += 60_000;
    await refuse(1, 'https://other.example');
    expect(Object.keys(stored())).toStrictEqual(['https://other.example']);
  });
});
