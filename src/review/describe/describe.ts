// Describes calls and typed data in words, by the descriptors that are shipped beside the bundle.
// Nothing here fails or waits long: what cannot be described is shown without.
import { TypedDataUtils } from '@metamask/eth-sig-util';
import { bytesToHex } from '@metamask/utils';

import type { NodeClient } from '../../../packages/client/src';
import { withTimeLimit } from '../../../packages/client/src/abort';
import { ChainIdStruct } from '../../eth/chain';
import type { ChainId } from '../../eth/chain';
import { NodeAddressStruct } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import type { TypedData } from '../../eth/typed-data';
import type { Log } from '../../platform/boundary';
import type { Edges } from '../../platform/edges';
import { matches, validate } from '../../schema/parse';
import type { Translate } from '../../ui/i18n';
import { addDescribed } from '../effects';
import type { CallEffect, Description } from '../effects';
import { decodeKnown } from '../functions';
import { createDescriptors } from './descriptors';
import type { Descriptor } from './descriptors';
import { describeByDescriptor, describeDocument } from './engine';
import type { Tools } from './engine';
import { createStatedUnits } from './tokens';
import type { StatedUnits } from './tokens';

/** How long a dialog waits for it. */
const LIMIT_MS = 1_500;

/** Most calls of a request that are described, those within others as well. */
const MAX_CALLS = 50;

/** Bytes of a function's selector as hex. */
const SELECTOR_END = 10;

/** Describes calls and documents. */
export type Describer = {
  /** Units that tokens state, for views that show amounts. */
  units: StatedUnits;
  /** Gives calls, and the calls within them, with the descriptions that there are. */
  calls: (calls: readonly CallEffect[], chainId: ChainId) => Promise<CallEffect[]>;
  /** Describes a document for the contract that its domain names. */
  document: (document: TypedData, from: Hex) => Promise<Description | undefined>;
};

/** What describing needs. */
type DescriberParts = Pick<Edges, 'readFile' | 'now'> & {
  loadTranslate: () => Promise<Translate>;
  log: Log;
  /** Connects to a chain, whose node has the units of unknown tokens. */
  connect: (chainId: ChainId) => Promise<{ node: NodeClient }>;
};

/** Creates the describer; one a worker. */
export function createDescriber({
  readFile,
  now,
  loadTranslate,
  log,
  connect,
}: DescriberParts): Describer {
  const descriptors = createDescriptors(readFile, log);
  const units = createStatedUnits();

  // Missing token data are fetched after the first try; the second has them.
  const describe = async <Described>(
    chainId: ChainId,
    loading: Promise<Translate>,
    run: (tools: Tools) => Promise<Described>,
  ): Promise<Described> => {
    const translate = await loading;
    const missing = new Set<Hex>();
    const noting =
      <Found>(find: (on: ChainId, token: Hex) => Found): typeof find =>
      (on, token) => {
        const found = find(on, token);
        if (found === undefined && on === chainId) missing.add(token);
        return found;
      };
    const tools = (): Tools => {
      let left = MAX_CALLS;
      const own: Tools = {
        translate,
        now: now(),
        findStated: noting(units.find),
        findName: noting(units.findName),
        describeInner: async (call, on) => {
          left -= 1;
          return left < 0 ? call : describeCall(call, on, own);
        },
      };
      return own;
    };
    const first = await run(tools());
    if (missing.size === 0) return first;
    const isKnown = await withTimeLimit(async (signal) => {
      const asked = [...missing];
      const { node } = await connect(chainId);
      await units.fetch(asked, { id: chainId, node, signal });
      return asked.some(
        (token) => units.find(chainId, token) ?? units.findName(chainId, token),
      );
    }, LIMIT_MS).catch(() => false);
    return isKnown ? run(tools()) : first;
  };

  const describeCall = async (
    call: CallEffect,
    chainId: ChainId,
    tools: Tools,
  ): Promise<CallEffect> => {
    const inside = await Promise.all(
      call.inside.map(async (each) =>
        each.kind === 'call' ? tools.describeInner(each, chainId) : each,
      ),
    );
    const { to, data } = call;
    if (to === null) return { ...call, inside };
    const described = await quietly(async () => {
      const found = await findDescriptor(call, chainId);
      if (!found) return undefined;
      const subject = { ...call, to, chainId };
      const description = await describeByDescriptor(found, subject, tools);
      const [declared = ''] = Object.keys(found.display.formats);
      // What the descriptor leaves out is in the fold, by name.
      const known = call.known ?? decodeKnown(declared, data);
      return description && { description, known };
    });
    const calls = described?.description.calls ?? [];
    return { ...call, inside: addDescribed(inside, calls), ...described };
  };

  const findDescriptor = async (
    { to, data }: CallEffect,
    chainId: ChainId,
  ): Promise<Descriptor | undefined> => {
    if (to === null || data.length < SELECTOR_END) return undefined;
    const selector = data.slice(0, SELECTOR_END).toLowerCase() as Hex;
    return descriptors.ofCall({ chainId: Number(chainId), to, selector });
  };

  const quietly = async <Result>(
    run: () => Promise<Result>,
  ): Promise<Result | undefined> => {
    try {
      return await run();
    } catch {
      log('debug', { event: 'a descriptor does not fit' });
      return undefined;
    }
  };

  return {
    units,
    calls: async (calls, chainId) => {
      const described = quietly(async () => {
        const loading = loadTranslate();
        // The files are read while the texts are loaded.
        await Promise.all(calls.map(async (call) => findDescriptor(call, chainId)));
        return describe(chainId, loading, async (tools) =>
          Promise.all(calls.map(async (call) => tools.describeInner(call, chainId))),
        );
      });
      return (await described) ?? [...calls];
    },
    document: async (document, from) =>
      quietly(async () => {
        const { chainId: id, verifyingContract: contract } = document.domain;
        const chain = validate(id, ChainIdStruct);
        if (!('value' in chain) || !matches(contract, NodeAddressStruct)) {
          return undefined;
        }
        const chainId = chain.value;
        const { types, primaryType } = document;
        const loading = loadTranslate();
        const found = await descriptors.ofTyped({
          typeHash: bytesToHex(TypedDataUtils.hashType(primaryType, types)),
          chainId: Number(chainId),
          contract,
        });
        return describe(chainId, loading, async (tools) => {
          for (const each of found) {
            const description = await quietly(async () =>
              describeDocument(each, { document, from, chainId }, tools),
            );
            if (description) return description;
          }
          return undefined;
        });
      }),
  };
}
