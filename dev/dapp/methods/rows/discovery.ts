// What there is to call.
import { defineRow } from '../row';
import type { MethodRow } from '../row';

/** Methods that tell of the others. */
export const discoveryRows: readonly MethodRow[] = [
  defineRow({
    name: 'rpc.discover',
    about: 'Answers the OpenRPC document of all methods: params, results, errors.',
    needs: [],
    example: () => [],
  }),
];
