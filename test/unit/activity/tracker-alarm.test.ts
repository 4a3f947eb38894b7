import { pendingOf, SENT } from '../../support/sent-transactions';
import { createTrackerBench, START } from '../../support/tracker-bench';
import type { TrackerBench } from '../../support/tracker-bench';

const MINUTE = 60_000;

/** Something was sent so many ms ago, and is flagged. */
function setup(...ages: number[]): TrackerBench {
  const bench = createTrackerBench(
    ages.map((age, index) => pendingOf(index + 1, { sentAt: START - age })),
  );
  bench.wallet.pendingSince = START - Math.min(...ages);
  return bench;
}

describe('arming', () => {
  it('asks for nothing, encrypted or of the platform, while nothing is flagged', async () => {
    const { tracker, wallet, backend } = createTrackerBench([pendingOf(1)]);
    wallet.hasNoAlarm = true;
    await tracker.arm();
    expect([wallet.alarms, backend.loads]).toStrictEqual([[], 0]);
  });

  it.each([
    [0, 60],
    [2 * MINUTE, 60],
    [4 * MINUTE, 120],
    [24 * 60 * MINUTE, 600],
  ])(
    '%i ms after the sending, while locked, wakes in %i s and reads nothing encrypted',
    async (age, seconds) => {
      const { tracker, wallet, backend } = setup(age);
      wallet.isLocked = true;
      await tracker.arm();
      expect([wallet.alarms, backend.loads]).toStrictEqual([[seconds], 0]);
      expect(wallet.pendingSince).toBe(START - age);
    },
  );

  it.each([
    [0, 3],
    [6_000, 3],
    [6_001, 4],
    [8_000, 4],
    [10 * MINUTE, 300],
    [20 * MINUTE, 600],
    [24 * 60 * MINUTE, 600],
  ])('wakes %i ms after the sending in %i s', async (age, seconds) => {
    const { tracker, wallet } = setup(age);
    await tracker.arm();
    expect(wallet.alarms).toStrictEqual([seconds]);
  });

  it('goes by the youngest', async () => {
    const { tracker, wallet } = setup(20 * MINUTE, 10_000, MINUTE);
    await tracker.arm();
    expect(wallet.alarms).toStrictEqual([5]);
  });

  it('takes the flag down when nothing is pending', async () => {
    const { tracker, wallet } = createTrackerBench([SENT]);
    wallet.pendingSince = START;
    await tracker.arm();
    expect([wallet.alarms, wallet.pendingSince]).toStrictEqual([[], null]);
  });

  it('leaves the flag of what is sent while it looks', async () => {
    const { tracker, wallet, clock, ledger } = createTrackerBench([SENT]);
    wallet.pendingSince = START;
    const { listPending } = ledger;
    ledger.listPending = async () => {
      ledger.listPending = listPending;
      const before = await listPending();
      clock.time += 1;
      await tracker.follow(async () =>
        ledger.add(pendingOf(1, { sentAt: clock.time })),
      );
      return before;
    };
    await tracker.arm();
    expect([wallet.pendingSince, wallet.alarms]).toStrictEqual([START + 1, [3]]);
  });

  it('does not hurry for what lies ahead, as after the clock was set back', async () => {
    const { tracker, wallet } = setup(-24 * 60 * MINUTE);
    await tracker.arm();
    expect(wallet.alarms).toStrictEqual([600]);
  });
});

describe('an alarm that is set', () => {
  it.each([
    ['is due earlier', 2_000],
    ['is due at that time', 3_000],
    ['is just late', -2_999],
  ])('stays if it %s', async (_when, ms) => {
    const { tracker, wallet } = setup(0);
    wallet.due = START + ms;
    await tracker.arm();
    expect(wallet.alarms).toStrictEqual([]);
  });

  it.each([
    ['is due later', 3_001],
    ['should have come long ago', -3_000],
  ])('is replaced if it %s', async (_when, ms) => {
    const { tracker, wallet } = setup(0);
    wallet.due = START + ms;
    await tracker.arm();
    expect(wallet.alarms).toStrictEqual([3]);
  });
});

describe('beginning to follow', () => {
  it('raises the flag and sets the alarm before it is kept', async () => {
    const { tracker, wallet } = createTrackerBench([]);
    const seen = await tracker.follow(async () =>
      Promise.resolve([wallet.pendingSince, wallet.alarms]),
    );
    expect(seen).toStrictEqual([START, [3]]);
  });

  it('keeps it though no alarm can be set: the flag is left for the next start', async () => {
    const { tracker, wallet } = createTrackerBench([]);
    wallet.hasNoAlarm = true;
    expect(await tracker.follow(async () => Promise.resolve('kept'))).toBe('kept');
    expect(wallet.pendingSince).toBe(START);
  });

  it('leaves flag and alarm alone while it is being kept', async () => {
    const { tracker, wallet } = createTrackerBench([]);
    await tracker.follow(async () => {
      wallet.due = undefined;
      await tracker.poll();
    });
    expect([wallet.pendingSince, wallet.alarms]).toStrictEqual([START, [3, 3]]);
    await tracker.poll();
    expect(wallet.pendingSince).toBeNull();
  });
});
