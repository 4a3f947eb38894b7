// The exports of Tollkeeper Insight, the snap for every MetaMask user. It provides insights, and
// has no keys.
import type {
  OnHomePageHandler,
  OnSignatureHandler,
  OnTransactionHandler,
  OnUserInputHandler,
} from '@metamask/snaps-sdk';

import { handleSignature } from '../insights/signature';
import { handleTransaction } from '../insights/transaction';
import { toJson } from '../platform/boundary';
import { insightEdges } from '../platform/insight-edges';
import { createInsightApp } from './app';
import type { InsightApp } from './app';
import { drawHomePage, handleInput } from './home';

let app: InsightApp | undefined;

const getApp = (): InsightApp => (app ??= createInsightApp(insightEdges));

// Returns null instead of throwing. An error, or an answer that is not JSON, would end the snap and
// all its other requests. MetaMask shows a confirmation whether or not it gets an insight.
function toEntryPoint<Arguments, Result>(
  handle: (args: Arguments, app: InsightApp) => Promise<Result | null>,
): (args: Arguments) => Promise<Result> {
  return async (args) => {
    try {
      const { during } = getApp().epochs;
      return toJson(await during(async () => handle(args, getApp()))) as Result;
    } catch {
      return null as Result;
    }
  };
}

export const onTransaction: OnTransactionHandler = toEntryPoint(handleTransaction);

export const onSignature: OnSignatureHandler = toEntryPoint(handleSignature);

export const onHomePage: OnHomePageHandler = toEntryPoint(
  async (_args: unknown, context) => ({ content: await drawHomePage(context) }),
) as OnHomePageHandler;

export const onUserInput: OnUserInputHandler = toEntryPoint(
  async ({ id, event }: Parameters<OnUserInputHandler>[0], context) => {
    const page = await handleInput(event, context);
    // A page that has been closed in the meantime needs no update.
    if (page) await context.interfaces.update(id, page).catch(() => undefined);
  },
);
