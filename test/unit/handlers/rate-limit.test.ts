import { createRateLimit } from '../../../src/handlers/rate-limit';
import type { RateLimit } from '../../../src/handlers/rate-limit';
import { failureOf } from '../../support/error-of';

const DAPP = 'https://dapp.example';

type Bench = {
  limit: RateLimit;
  clock: { time: number };
  spend: (origin: string) => void;
};

function setup(): Bench {
  const clock = { time: 1_000_000 };
  const limit = createRateLimit(() => clock.time);
  const spend = (origin: string): void => {
    for (let call = 0; call < 50; call += 1) limit(origin);
  };
  return { limit, clock, spend };
}

describe('the rate limit', () => {
  it('lets fifty calls of an origin through in ten seconds', async () => {
    const { limit, spend, clock } = setup();
    spend(DAPP);
    clock.time += 7_001;
    expect(await failureOf(() => limit(DAPP))).toMatchObject({
      code: -32005,
      message: 'This origin made 50 requests in 10 s; try again in 3 s.',
      context: { rate: { backoff_seconds: 3 } },
    });
  });

  it('is over after the time that it names, and not before', () => {
    const { limit, spend, clock } = setup();
    spend(DAPP);
    clock.time += 9_999;
    expect(() => limit(DAPP)).toThrow('try again in 1 s');
    clock.time += 1;
    expect(() => spend(DAPP)).not.toThrow();
    expect(() => limit(DAPP)).toThrow('try again in 10 s');
  });

  it('does not count calls that it refused', () => {
    const { limit, spend, clock } = setup();
    spend(DAPP);
    for (let call = 0; call < 50; call += 1) expect(() => limit(DAPP)).toThrow();
    clock.time += 10_000;
    expect(() => spend(DAPP)).not.toThrow();
  });

  it('counts each origin by itself', () => {
    const { spend } = setup();
    spend(DAPP);
    expect(() => spend('https://other.example')).not.toThrow();
    expect(() => spend('__proto__')).not.toThrow();
  });

  it('remembers a bounded number of origins', () => {
    const { limit, spend } = setup();
    spend(DAPP);
    for (let other = 0; other < 1_000; other += 1) limit(`https://${other}.example`);
    expect(() => limit(DAPP)).not.toThrow();
  });

  it('does not shut an origin out for longer than its window if the clock is set back', () => {
    const { limit, spend, clock } = setup();
    spend(DAPP);
    clock.time -= 3_600_000;
    expect(() => limit(DAPP)).not.toThrow();
  });
});
