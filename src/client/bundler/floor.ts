// The lowest fees that a bundler takes, by whichever method of its own it has.
import { larger } from '../../eth/hex';
import { HttpStatusError, InvalidResponseError } from '../errors';
import type { RpcClient } from '../rpc/rpc-client';
import { RpcError } from '../rpc-error';
import { priceMethods } from './schema';
import type { bundlerSchema, PricesAnswer } from './schema';

/** The lowest fees that a bundler takes, in wei. */
export type FeeFloor = { maxFeePerGas?: bigint; maxPriorityFeePerGas: bigint };

/** Names the methods that servers have not, as `method at server`. */
export type AbsentMethods = Set<string>;

type PriceMethod = keyof typeof priceMethods;

const METHOD_NOT_FOUND = -32601;

/**
 * Find the lowest fees that a bundler takes, in one batch.
 *
 * @param absent - The methods that are not asked for; it grows by what the server has not.
 * @returns The higher ones where it tells several; undefined if it tells none.
 * @throws What kept all methods from being answered, such as a NetworkError.
 */
export async function findFloor(
  rpc: RpcClient<typeof bundlerSchema>,
  absent: AbsentMethods,
): Promise<FeeFloor | undefined> {
  const nameOf = (method: PriceMethod): string => `${method} at ${rpc.label}`;
  const asked = (Object.keys(priceMethods) as PriceMethod[]).filter(
    (method) => !absent.has(nameOf(method)),
  );
  const failures: unknown[] = [];
  const floors = await Promise.all(
    asked.map(async (method) => {
      try {
        return toFloor(await rpc.request(method, []));
      } catch (error) {
        if (isAbsent(error)) absent.add(nameOf(method));
        failures.push(error);
        return undefined;
      }
    }),
  );
  const found = floors.filter((floor) => floor !== undefined);
  if (found.length > 0) return combine(found);
  const outage = failures.find((error) => !isAnswer(error));
  if (outage !== undefined) throw outage as Error;
  return undefined;
}

function toFloor(answer: bigint | PricesAnswer): FeeFloor {
  if (typeof answer === 'bigint') return { maxPriorityFeePerGas: answer };
  const price = 'standard' in answer ? (answer.slow ?? answer.standard) : answer;
  const { maxFeePerGas, maxPriorityFeePerGas } = price;
  return { maxFeePerGas, maxPriorityFeePerGas };
}

function combine(floors: readonly FeeFloor[]): FeeFloor {
  const maxFees = floors
    .map(({ maxFeePerGas }) => maxFeePerGas)
    .filter((fee) => fee !== undefined);
  const maxPriorityFeePerGas = floors
    .map((floor) => floor.maxPriorityFeePerGas)
    .reduce(larger);
  return maxFees.length === 0
    ? { maxPriorityFeePerGas }
    : { maxFeePerGas: maxFees.reduce(larger), maxPriorityFeePerGas };
}

function isAbsent(error: unknown): boolean {
  return error instanceof RpcError && error.code === METHOD_NOT_FOUND;
}

// What does not know these methods says so in many ways, some with a status.
function isAnswer(error: unknown): boolean {
  if (error instanceof HttpStatusError) return error.status < 500;
  return error instanceof RpcError || error instanceof InvalidResponseError;
}
