import type { CreateAccountOptions } from '../../../src/accounts/options';
import {
  placeSmartAccount,
  planSmartAccount,
} from '../../../src/accounts/smart-account';
import type {
  SmartAccountPlace,
  SmartAccountServices,
} from '../../../src/accounts/smart-account';
import { UnavailableError } from '../../../src/errors';
import type { Hex } from '../../../src/eth/hex';
import type { SmartAccountOrigin } from '../../../src/eth/smart-account';
import { lower } from '../../support/records';
import { refusalOf } from '../../support/refusal';

const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const FACTORY: Hex = '0x00000000000000000000000000000000000000AB';
const ASKED_ADDRESS: Hex = '0x00000000000000000000000000000000000000CD';

type Configured = Awaited<ReturnType<SmartAccountServices['contractsOf']>>;

type Bench = {
  place: (options?: CreateAccountOptions) => Promise<SmartAccountPlace>;
  /** What the factory was asked. */
  asked: { origin: SmartAccountOrigin; chainId: bigint }[];
  /** What the factory was to confirm, and whether it contradicts. */
  checks: { asked: { address: Hex; chainId: bigint }[]; contradiction?: Error };
};

function setup(configured: Record<string, Configured> = {}): Bench {
  const asked: Bench['asked'] = [];
  const checks: Bench['checks'] = { asked: [] };
  const services: SmartAccountServices = {
    ownChain: () => Promise.resolve(7n),
    newestEntryPoint: () => Promise.resolve('0.7'),
    contractsOf: (chainId) => Promise.resolve(configured[String(chainId)] ?? {}),
    fetchAccountAddress: (origin, chainId) => {
      asked.push({ origin, chainId });
      return Promise.resolve(ASKED_ADDRESS);
    },
    checkAccountAddress: async ({ address }, chainId) => {
      checks.asked.push({ address, chainId });
      await Promise.resolve();
      if (checks.contradiction) throw checks.contradiction;
    },
  };
  return {
    asked,
    checks,
    place: async (options = {}) =>
      placeSmartAccount(await planSmartAccount(options, services), OWNER, services),
  };
}

describe('placeSmartAccount', () => {
  // Funds may be waiting at these addresses.
  it.each([
    ['0.6', 0n, '0x2c6626618678de393f0a0467e960b34aaab969be'],
    ['0.6', 1n, '0x418fe523f35f6b094ffe3e8ed45db30840a24431'],
    ['0.7', 0n, '0xa3abdc7f6334cd3ee466a115f30522377787c024'],
    ['0.7', 2n ** 256n - 1n, '0x89ee109d8d041c7410bce2f9ca8e2b05d432b779'],
    ['0.8', 0n, '0x5a1a42bcae93d527f432d29c79e32afc5cc8cb5c'],
  ] as const)(
    'places version %s, salt %s, at %s',
    async (entryPoint, salt, address) => {
      const { place, asked } = setup();
      expect(await place({ entryPoint, salt })).toMatchObject({ address });
      expect(asked).toStrictEqual([]);
    },
  );

  it("takes the snap's own network, the newest version of its bundler and salt 0 where nothing is said", async () => {
    expect(await setup().place()).toStrictEqual({
      entryPoint: '0.7',
      factory: '0x91e60e0613810449d098b0b5ec8b51a0fe8c8985',
      owner: OWNER,
      salt: 0n,
      scopes: ['eip155:7'],
      address: '0xa3abdc7f6334cd3ee466a115f30522377787c024',
    });
  });

  it('takes the contracts that its first chain is configured for', async () => {
    const { place } = setup({ '5': { entryPoint: '0.7' }, '6': { entryPoint: '0.8' } });
    expect(await place({ scopes: ['eip155:5', 'eip155:6'] })).toMatchObject({
      entryPoint: '0.7',
      factory: '0x91e60e0613810449d098b0b5ec8b51a0fe8c8985',
      scopes: ['eip155:5', 'eip155:6'],
    });
  });

  it('prefers the version of the options to the configured one', async () => {
    const { place } = setup({ '7': { entryPoint: '0.7' } });
    expect(await place({ entryPoint: '0.8' })).toMatchObject({ entryPoint: '0.8' });
  });

  it('asks a factory of the options for the address, on the first chain', async () => {
    const { place, asked } = setup();
    const entryPoint = '0.6';
    const scopes: `eip155:${string}`[] = ['eip155:5'];
    const placed = await place({ entryPoint, factory: FACTORY, salt: 9n, scopes });
    const origin = {
      entryPoint,
      factory: FACTORY.toLowerCase(),
      owner: OWNER,
      salt: 9n,
    };
    expect(asked).toStrictEqual([{ origin, chainId: 5n }]);
    expect(placed).toStrictEqual({
      ...origin,
      address: ASKED_ADDRESS.toLowerCase(),
      scopes,
    });
  });

  it('refuses a factory of which nothing says for which EntryPoint it is', async () => {
    const { place, asked } = setup();
    expect(await refusalOf(place({ factory: FACTORY }))).toStrictEqual({
      code: -32602,
      message:
        'options.factory needs options.entryPoint, which says which EntryPoint it is for.',
    });
    expect(asked).toStrictEqual([]);
  });

  it('takes a factory for the EntryPoint that is configured', async () => {
    const { place } = setup({ '7': { entryPoint: '0.8' } });
    const placed = await place({ factory: FACTORY });
    expect(placed).toMatchObject({ entryPoint: '0.8', factory: lower(FACTORY) });
  });

  it('has the canonical factory confirm what was computed, on the first chain', async () => {
    const { place, checks } = setup();
    const { address } = await place({ scopes: ['eip155:5', 'eip155:6'] });
    expect(checks.asked).toStrictEqual([{ address, chainId: 5n }]);
  });

  it('places no account whose address the canonical factory contradicts', async () => {
    const { place, checks } = setup();
    checks.contradiction = new UnavailableError('It disagrees.');
    expect(await refusalOf(place())).toStrictEqual({
      code: -32002,
      message: 'It disagrees.',
    });
  });

  it('has no address confirmed that a factory gave itself', async () => {
    const { place, checks } = setup();
    await place({ entryPoint: '0.7', factory: FACTORY });
    expect(checks.asked).toStrictEqual([]);
  });

  it('asks a configured factory', async () => {
    const { place, asked } = setup({ '7': { entryPoint: '0.7', factory: FACTORY } });
    expect(await place()).toHaveProperty('address', ASKED_ADDRESS.toLowerCase());
    expect(asked).toHaveLength(1);
  });

  it('leaves out a configured factory that is for another version', async () => {
    const { place, asked } = setup({ '7': { entryPoint: '0.7', factory: FACTORY } });
    expect(await place({ entryPoint: '0.6' })).toMatchObject({
      factory: '0x9406cc6185a346906296840746125a0e44976454',
    });
    expect(asked).toStrictEqual([]);
  });

  it('computes the address of the canonical factory also if it is named', async () => {
    const { place, asked } = setup();
    const factory = '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985';
    expect(await place({ entryPoint: '0.7', factory })).toStrictEqual(await place());
    expect(asked).toStrictEqual([]);
  });
});
