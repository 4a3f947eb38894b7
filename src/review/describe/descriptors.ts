// Finds the ERC-7730 descriptor of a call or document in the files built by dev/clear-signing.
import { toLower } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import type { Log } from '../../platform/boundary';

/** The display format of a call or document: the parts that the engine reads. */
export type Format = {
  intent?: unknown;
  interpolatedIntent?: string;
  fields?: unknown[];
};

type Deployment = { chainId: number; address: string };

/** An ERC-7730 descriptor, prepared for the engine: a single format, with its includes merged. */
export type Descriptor = {
  context:
    | { contract: { deployments: Deployment[] } }
    | {
        eip712: {
          deployments: Deployment[];
          domain?: object;
          domainSeparator?: string;
        };
      };
  metadata: { owner?: string; contractName?: string; token?: object };
  display: { definitions?: object; formats: Record<string, Format> };
};

/** Number of address digits in the index's keys. */
export const INDEX_DIGITS = 8;

/** `index.json`: file names by the last digits of a contract's address. */
export type DescriptorIndex = Record<'calls' | 'typed', Record<string, string[]>>;

/** `NN.json`: descriptors refer to shared parts by number. */
export type DescriptorFile = {
  definitions: object[];
  formats: [key: string, format: Format][];
  descriptors: {
    /** Only for documents. */
    eip712?: { domain?: object; domainSeparator?: string };
    metadata: Descriptor['metadata'];
    definitions: number;
    /** Formats by selector or type hash. */
    formats: Record<string, number>;
    /** Chain ids by contract. */
    deployments: Record<string, number[]>;
  }[];
};

/** Maximum files in memory, besides the index. Most requests need one or two. */
const MAX_KEPT = 4;

type Deployed = { chainId: number; contract: Hex };

export type Descriptors = {
  /** Finds the descriptor of a call, with this contract on this chain as its only deployment. */
  ofCall: (call: {
    chainId: number;
    to: Hex;
    selector: Hex;
  }) => Promise<Descriptor | undefined>;
  /** Finds the descriptors of a document's type for its contract and chain. The engine checks the
   * rest of the domain. */
  ofTyped: (document: Deployed & { typeHash: Hex }) => Promise<Descriptor[]>;
};

/** Creates the descriptor lookup. It keeps the index and the most recently used files in memory. A
 * lookup that needs a missing file, for which `readFile` returns null, or a damaged one finds
 * nothing. */
export function createDescriptors(
  readFile: (path: string) => Promise<string | null>,
  log: Log,
): Descriptors {
  const kept = new Map<string, unknown>();
  const read = async <File>(name: string): Promise<File> => {
    const known = kept.get(name);
    const file: unknown =
      known ?? JSON.parse((await readFile(`clear-signing/${name}.json`)) ?? '');
    kept.delete(name);
    kept.set(name, file);
    // Every lookup reads the index first, so it is rarely the oldest.
    for (const oldest of [...kept.keys()].slice(0, -MAX_KEPT - 1)) kept.delete(oldest);
    return file as File;
  };
  const find = async (
    kind: keyof DescriptorIndex,
    hash: Hex,
    { chainId, contract }: Deployed,
  ): Promise<Descriptor[]> => {
    const [key, address] = [toLower(hash), toLower(contract)];
    try {
      const index = await read<DescriptorIndex>('index');
      const found: Descriptor[] = [];
      for (const name of own(index[kind], address.slice(-INDEX_DIGITS)) ?? []) {
        const file = await read<DescriptorFile>(name);
        for (const { deployments, formats, ...descriptor } of file.descriptors) {
          const format = file.formats[own(formats, key) ?? -1];
          if (!format || !own(deployments, address)?.includes(chainId)) continue;
          const bound = { ...descriptor.eip712, deployments: [{ chainId, address }] };
          found.push({
            context: descriptor.eip712 ? { eip712: bound } : { contract: bound },
            metadata: descriptor.metadata,
            display: {
              definitions: file.definitions[descriptor.definitions] ?? {},
              formats: Object.fromEntries([format]),
            },
          });
        }
      }
      return found;
    } catch {
      log('debug', { event: 'descriptors', method: kind });
      return [];
    }
  };
  return {
    ofCall: async ({ chainId, to, selector }) => {
      const [found] = await find('calls', selector, { chainId, contract: to });
      return found;
    },
    ofTyped: async ({ typeHash, ...deployed }) => find('typed', typeHash, deployed),
  };
}

const own = <Value>(record: Record<string, Value>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
