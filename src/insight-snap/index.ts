// The exports of Tollkeeper Insight, the snap for every MetaMask user: insights and the gas
// market, without keys.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type {
  OnHomePageHandler,
  OnSignatureHandler,
  OnTransactionHandler,
  OnUserInputHandler,
} from '@metamask/snaps-sdk';

import { getConfig } from '../config';
import { handleSignature } from '../insights/signature';
import { handleTransaction } from '../insights/transaction';
import { atBoundary } from '../platform/boundary';
import { insightEdges } from '../platform/insight-edges';
import { createInsightApp } from './app';
import type { InsightApp } from './app';
import { drawHomePage, REFRESH } from './home';

let app: InsightApp | undefined;

const getApp = (): InsightApp =>
  (app ??= createInsightApp(insightEdges, getConfig().logLevel));

export const onTransaction: OnTransactionHandler = atBoundary(
  'onTransaction',
  getApp,
  handleTransaction,
);

export const onSignature: OnSignatureHandler = atBoundary(
  'onSignature',
  getApp,
  handleSignature,
);

const openHomePage = atBoundary(
  'onHomePage',
  getApp,
  async (_args, context: InsightApp) => ({ content: await drawHomePage(context) }),
);

// The platform passes no arguments.
export const onHomePage: OnHomePageHandler = async () => openHomePage({});

export const onUserInput: OnUserInputHandler = atBoundary(
  'onUserInput',
  getApp,
  async ({ id, event }, context) => {
    if (event.type !== UserInputEventType.ButtonClickEvent) return;
    if (event.name !== REFRESH) return;
    const page = await drawHomePage(context);
    // A page that was closed meanwhile needs none.
    await context.interfaces.update(id, page).catch(() => undefined);
  },
);
