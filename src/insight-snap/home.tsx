// The home page of the insight snap: the gas market of the network that it is on.
import { Box, Button } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, JSXElement } from '@metamask/snaps-sdk/jsx';

import { withTimeLimit } from '../../packages/client/src/abort';
import { toCaip2 } from '../eth/chain';
import { findMarket, GasTab, refreshMarket } from '../home/gas';
import type { MarketRefresh } from '../home/gas';
import { toFailure } from '../home/tab';
import { drawNotices } from '../ui/components';
import type { Translate } from '../ui/i18n';
import type { InsightApp } from './app';

/** Name of the button that draws the page again. */
export const REFRESH = 'refresh';

/** MetaMask shows nothing until the page is drawn. */
const TIME_LIMIT_MS = 5_000;

/** Draws the page, with a notice if the node fails. */
export async function drawHomePage(context: InsightApp): Promise<JSXElement> {
  const translate = await context.loadTranslate();
  return (
    <Box>
      {await drawMarket(context, translate)}
      <Button name={REFRESH}>{translate('home.refresh')}</Button>
    </Box>
  );
}

async function drawMarket(
  context: InsightApp,
  translate: Translate,
): Promise<BoxElement> {
  try {
    const id = await withTimeLimit(context.ownChain, TIME_LIMIT_MS);
    const { failure, fork } = await withTimeLimit(
      async () => refreshMarket(id, context),
      TIME_LIMIT_MS,
    ).catch((error: unknown): MarketRefresh => ({ failure: error }));
    const chain = toCaip2(id);
    return GasTab({
      translate,
      chains: [chain],
      chain,
      market: await findMarket(id, context, fork),
      servers: { inUse: [], now: context.now() },
      notices: failure === undefined ? [] : [toFailure(failure, translate)],
    });
  } catch (error) {
    return <Box>{drawNotices([toFailure(error, translate)], translate)}</Box>;
  }
}
