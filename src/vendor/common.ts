// Replaces @ethereumjs/common in @ethereumjs/tx: the rules of Prague for a chain id. The
// package knows every fork of Ethereum, and builds its tables anew for each chain and for
// each transaction.

/** What @ethereumjs/tx replaces of its cryptography; here, only KZG. */
type CustomCrypto = Record<string, unknown>;

/** Parameters by EIP, as `paramsTx` of @ethereumjs/tx lists them. */
type Params = Readonly<Record<number, Readonly<Record<string, number>>>>;

/** EIPs in the order of their forks: where two set a parameter, the later one counts. */
const EIPS = [
  1, 606, 608, 607, 609, 1013, 1716, 1679, 2384, 2565, 2929, 2718, 2930, 1559, 3198,
  3529, 3541, 4345, 5133, 3675, 4399, 3651, 3855, 3860, 4895, 1153, 4844, 4788, 5656,
  6780, 7516, 2537, 2935, 6110, 7002, 7251, 7623, 7685, 7691, 7702,
];

/** Forks up to Prague. */
const FORKS = [
  'chainstart',
  'homestead',
  'dao',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'muirGlacier',
  'berlin',
  'london',
  'arrowGlacier',
  'grayGlacier',
  'paris',
  'mergeNetsplitBlock',
  'shanghai',
  'cancun',
  'prague',
];

export const Hardfork = { Prague: 'prague' } as const;

/** Base of {@link createCustomCommon}; the rules are those of Prague whatever it is. */
export const Mainnet = {};

type Rules = { hardfork?: string; customCrypto?: CustomCrypto };

/** The rules of one chain. They never change, so that a copy is the same object. */
export class Common {
  /** Parameters as the last transaction gave them; every transaction gives the same. */
  static #given: Params = {};

  static #params = new Map<string, number>();

  readonly customCrypto: CustomCrypto;

  readonly #chainId: bigint;

  constructor({
    chain,
    hardfork,
    customCrypto = {},
  }: Rules & { chain: { chainId?: string } }) {
    if (hardfork !== Hardfork.Prague || chain.chainId === undefined) {
      throw new Error('Only the rules of Prague, for a chain id, are known here.');
    }
    this.#chainId = BigInt(chain.chainId);
    this.customCrypto = customCrypto;
  }

  copy(): this {
    return this;
  }

  chainId(): bigint {
    return this.#chainId;
  }

  hardfork(): string {
    return Hardfork.Prague;
  }

  gteHardfork(name: string): boolean {
    return FORKS.includes(name);
  }

  isActivatedEIP(eip: number): boolean {
    return EIPS.includes(eip);
  }

  updateParams(given: Params): void {
    if (given === Common.#given) return;
    Common.#given = given;
    const parameters = EIPS.flatMap((eip) => Object.entries(given[eip] ?? {}));
    Common.#params = new Map(parameters);
  }

  /** @throws {Error} If no EIP of Prague has the parameter. */
  param(name: string): bigint {
    const value = Common.#params.get(name);
    if (value === undefined) throw new Error(`Missing parameter value for ${name}`);
    return BigInt(value);
  }
}

/** Creates the rules of a chain; `hardfork` must be Prague. */
export function createCustomCommon(
  chain: { chainId: string },
  _base: object,
  rules: Rules,
): Common {
  return new Common({ chain, ...rules });
}
