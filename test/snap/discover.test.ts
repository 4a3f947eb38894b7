import { contract } from '../support/contract';
import { COMPANION, DAPP, installBench, resultIn } from '../support/snap-bench';

it('answers anyone what can be called, from the file beside the bundle', async () => {
  const { rpc } = await installBench();
  for (const origin of [DAPP, COMPANION]) {
    expect(resultIn(await rpc('rpc.discover', undefined, origin))).toStrictEqual(
      contract,
    );
  }
});
