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
    for (let call = 0; call < 150; call += 1) limit(origin, 'read');
  };
  return { limit, clock, spend };
}

describe('the rate limit', () => {
  it('lets 150 look-ups of an origin through in ten seconds', async () => {
    const { limit, spend, clock } = setup();
    spend(DAPP);
    clock.time += 7_001;
    expect(await failureOf(() => limit(DAPP, 'read'))).toMatchObject({
      code: -32005,
      message: 'An origin may make 150 look-ups in 10 s; try again in 3 s.',
      context: { rate: { backoff_seconds: 3 } },
    });
  });

  it('is over after the time that it names, and not before', () => {
    const { limit, spend, clock } = setup();
    spend(DAPP);
    clock.time += 9_999;
    expect(() => limit(DAPP, 'read')).toThrow('try again in 1 s');
    clock.time += 1;
    expect(() => spend(DAPP)).not.toThrow();
    expect(() => limit(DAPP, 'read')).toThrow('try again in 10 s');
  });

  it('does not count calls that it refused', () => {
    const { limit, spend, clock } = setup();
    spend(DAPP);
    for (let call = 0; call < 150; call += 1) {
      expect(() => limit(DAPP, 'read')).toThrow();
    }
    clock.time += 10_000;
    expect(() => spend(DAPP)).not.toThrow();
  });

  it('charges nothing for what does not fit, and signing by itself', () => {
    const { limit, spend } = setup();
    limit(DAPP, 'sign', 100);
    expect(() => limit(DAPP, 'sign', 21)).toThrow('120 requests to sign or send');
    expect(() => limit(DAPP, 'sign', 20)).not.toThrow();
    expect(() => limit(DAPP, 'sign')).toThrow('try again in 10 s');
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
    for (let other = 0; other < 1_000; other += 1) {
      limit(`https://${other}.example`, 'read');
    }
    expect(() => limit(DAPP, 'read')).not.toThrow();
  });

  it('does not shut an origin out for longer than its window if the clock is set back', () => {
    const { limit, spend, clock } = setup();
    spend(DAPP);
    clock.time -= 3_600_000;
    expect(() => limit(DAPP, 'read')).not.toThrow();
  });
});
