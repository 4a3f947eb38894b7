// Filling user operations from a node, a bundler and a paymaster's service in memory.
import type { Json } from '@metamask/utils';
import { size, slice } from 'viem';

import {
  createHttpTransport,
  createPaymasterClient,
  createPaymasterEndpoint,
} from '../../src/client';
import type { Paymaster } from '../../src/client';
import { encodeIntents } from '../../src/eth/account-calls';
import { entryPoints } from '../../src/eth/entry-point';
import type { Hex } from '../../src/eth/hex';
import { toQuantity } from '../../src/eth/hex';
import { fillOperation } from '../../src/fees/fill-user-operation';
import type {
  FilledOperation,
  FillOperationSources,
} from '../../src/fees/fill-user-operation';
import type { OperationRequest } from '../../src/fees/operation-draft';
import { serving } from './fake-fetch';
import { createFakeNode } from './fake-node';
import type { FakeNode, NodeAnswers } from './fake-node';
import { toRequests } from './json-rpc';
import { smartRecord } from './records';
import { countOf, createServers } from './sent-operations';
import type { Servers } from './sent-operations';
import { TO } from './transactions';

const PAYMASTER_URL = 'https://paymaster.example';

/** What a bundler estimates. */
export const ESTIMATE = {
  callGasLimit: '0x186a0',
  verificationGasLimit: '0x30d40',
  preVerificationGas: '0xc350',
};

/** {@link ESTIMATE} with the margins, and gas for the prefund. */
export const LIMITS = {
  callGasLimit: 120_000n,
  verificationGasLimit: 288_000n,
  preVerificationGas: 55_000n,
};

/** What the node says that gas costs. */
export const GAS_PRICE = 2_000_000_000n;

/** When it is, in s since 1970. */
export const NOW_S = 1_700_000_000;

/** What the account is to do. */
export const CALL_DATA = encodeIntents('0.6', [{ to: TO, value: 1n, data: '0xa9' }]);

/** Servers, and how to fill an operation from them. */
export type OperationBench = Servers & {
  paymaster: Paymaster;
  paymasterSide: FakeNode;
  /** Fill an operation of the account; of its sources some may be others. */
  fill: (
    request?: Partial<OperationRequest>,
    changes?: Partial<FillOperationSources>,
  ) => Promise<FilledOperation>;
  /** List the methods of each HTTP request to a server so far. */
  askedBy: (server: 'node' | 'bundler' | 'paymaster') => string[][];
};

/** Answers of the servers that are not as usual. */
export type OperationAnswers = Partial<
  Record<'node' | 'bundler' | 'paymaster', NodeAnswers>
>;

/** Set up a deployed account of 0.6 whose next nonce is 7, and servers that answer. */
export function createOperationBench(answers: OperationAnswers = {}): OperationBench {
  const servers = createServers({
    node: {
      eth_call: countOf(7),
      eth_getCode: '0x6080',
      eth_gasPrice: toQuantity(GAS_PRICE),
      eth_estimateGas: '0x5208',
      ...answers.node,
    },
    bundler: { eth_estimateUserOperationGas: ESTIMATE, ...answers.bundler },
  });
  const { network } = servers;
  const paymasterSide = createFakeNode(answers.paymaster);
  network.serve(PAYMASTER_URL, serving(paymasterSide));
  const transport = createHttpTransport(createPaymasterEndpoint(PAYMASTER_URL), {
    fetch: network.fetch,
    retry: { maxAttempts: 1 },
  });
  const paymaster = {
    client: createPaymasterClient(transport),
    context: { policy: 'p' },
  };
  return {
    ...servers,
    paymaster,
    paymasterSide,
    fill: async (request = {}, changes = {}) =>
      fillOperation(
        { callData: CALL_DATA, ...request },
        {
          account: smartRecord(),
          chainId: 1n,
          node: servers.node,
          bundler: servers.bundler.client,
          now: () => NOW_S * 1000,
          ...changes,
        },
      ),
    askedBy: (server) =>
      network.sent
        .filter(({ url }) => url.startsWith(`https://${server}.example`))
        .map(({ body = '' }) => toRequests({ body }).map(({ method }) => method)),
  };
}

/** A step of a simulation: what it took, or what it reverted with. */
export type SimulatedStep = { gas: number } | { reverts: Hex };

/** Make a node's answer to eth_simulateV1. */
export function simulated(...steps: SimulatedStep[]): Json {
  const calls = steps.map((step) =>
    'gas' in step
      ? { status: '0x1', gasUsed: toQuantity(step.gas), returnData: '0x', logs: [] }
      : { status: '0x0', gasUsed: '0x5208', returnData: step.reverts, logs: [] },
  );
  return [{ number: '0x1', calls }];
}

/** The contract that pays in these tests. */
export const PAYMASTER: Hex = '0x00000000000000000000000000000000000000aa';

/** What a contract of a paymaster answers: no context, and its verdict. */
export function verdictOf({
  failed = 0,
  validUntil = 0,
  validAfter = 0,
}: Record<string, number> = {}): Hex {
  const word =
    (BigInt(validAfter) << 208n) | (BigInt(validUntil) << 160n) | BigInt(failed);
  const words = [64n, word, 0n].map((each) => each.toString(16).padStart(64, '0'));
  return `0x${words.join('')}`;
}

/** Answer eth_call as a chain on which a paymaster's contract gives a verdict. */
export function callPaymaster(verdict: () => Json): (params: Json[]) => Json {
  return ([call]) => {
    const { to = '' } = call as { to?: string };
    const isEntryPoint = Object.values(entryPoints).some(
      ({ entryPoint }) => entryPoint === to,
    );
    return isEntryPoint ? countOf(7) : verdict();
  };
}

/** Read the factory's address and its call from an initCode. */
export function partsOf(initCode: Hex): { factory: Hex; call: Hex } {
  if (size(initCode) < 20) throw new Error(`${initCode} names no factory.`);
  return { factory: slice(initCode, 0, 20), call: slice(initCode, 20) };
}
