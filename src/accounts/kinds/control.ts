// Checks whether an account's key still controls its contract on a chain: the owner or the code may
// have been changed elsewhere. Estimates do not reveal that, since they carry no valid signature.
import type { NodeClient } from '../../../packages/client/src';
import { findImplementation } from '../../core/authorization';
import { entryPoints } from '../../core/entry-points';
import { UnavailableError } from '../../core/errors';
import { SAFE_MODULE } from '../../core/safe';
import { encodeCall, toWord } from '../../eth/abi';
import type { AbiSignature } from '../../eth/abi';
import { toCaip2 } from '../../eth/chain';
import type { ChainId } from '../../eth/chain';
import { findDelegate } from '../../eth/delegation';
import type { Hex } from '../../eth/hex';
import { ifReverted } from '../../review/ask';
import type { OperationAccount } from './kind';

/** A different owner, a Safe with a higher threshold, or a different contract. */
export type Takeover = 'owner' | 'threshold' | 'code';

export type Control = { isDeployed: boolean; takeover: Takeover | undefined };

const reasons: Record<Takeover, string> = {
  owner: 'its owner was changed',
  threshold: 'it needs more than one signature now',
  code: 'its contract was changed',
};

export async function fetchControl(
  account: OperationAccount,
  node: NodeClient,
): Promise<Control> {
  const { address, origin, entryPoint } = account;
  const [code, takeover] = await Promise.all([
    node.request('eth_getCode', [address, 'latest']),
    origin && findTakeover(account, node),
  ]);
  const isDeployed = code !== '0x';
  if (origin) return { isDeployed, takeover: isDeployed ? takeover : undefined };
  const delegate = findDelegate(code);
  const isOurs = delegate && findImplementation(delegate)?.entryPoint === entryPoint;
  return { isDeployed, takeover: isOurs ? undefined : 'code' };
}

/** Throws `UnavailableError` if an account's key no longer controls its contract. */
export function assertControlled(
  { takeover }: Control,
  { address }: { address: Hex },
  chainId: ChainId,
): void {
  if (takeover === undefined) return;
  throw new UnavailableError(
    `Tollkeeper's signatures for the account ${address} are no longer valid on ${toCaip2(chainId)}: ` +
      `${reasons[takeover]}. Nothing was signed.`,
  );
}

type Question = [
  takeover: Takeover,
  signature: AbiSignature,
  expected: bigint,
  argument?: Hex,
];

async function findTakeover(
  { address, owner, entryPoint, origin }: OperationAccount,
  node: NodeClient,
): Promise<Takeover | undefined> {
  const expectedEntryPoint = BigInt(entryPoints[entryPoint].entryPoint);
  const questions: Question[] =
    origin?.implementation === 'safe'
      ? [
          ['owner', 'isOwner(address)', 1n, owner],
          ['threshold', 'getThreshold()', 1n],
          ['code', 'isModuleEnabled(address)', 1n, SAFE_MODULE],
          // The Safe's fallback handler, the Safe4337Module, answers this call.
          ['code', 'SUPPORTED_ENTRYPOINT()', expectedEntryPoint],
        ]
      : [
          ['owner', 'owner()', BigInt(owner)],
          ['code', 'entryPoint()', expectedEntryPoint],
        ];
  const found = await Promise.all(
    questions.map(async ([takeover, signature, expected, argument]) => {
      const data = encodeCall(signature, argument === undefined ? [] : [argument]);
      const answer = await node
        .request('eth_call', [{ to: address, data }, 'latest'])
        .catch(ifReverted('0x' as const))
        .catch(() => undefined);
      if (answer === '0x') return 'code';
      // A node that does not answer is no evidence of a takeover.
      const word = answer === undefined ? undefined : toWord(answer);
      return word === undefined || word === expected ? undefined : takeover;
    }),
  );
  return found.includes('code') ? 'code' : found.find((each) => each !== undefined);
}
