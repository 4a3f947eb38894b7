// The home page in front of a user, over the whole snap.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { UserInputEvent } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { HOME } from '../../src/home/tab';
import type { HomePlace } from '../../src/home/tab';
import { createTestApp } from './test-app';
import type { TestApp } from './test-app';
import { elementsOf, textsOf, warningsOf } from './view';

export { pass } from './test-edges';

/** An open home page. */
export type HomeBench = {
  /** The snap; another one after {@link HomeBench.restart}. */
  app: TestApp;
  id: string;
  /** What is shown now. */
  page: () => JSXElement;
  /** All texts of it. */
  texts: () => string[];
  /** Its notices. */
  notices: () => string[];
  place: () => HomePlace;
  /** Press a button that is there. */
  click: (name: string) => Promise<void>;
  /** Change a field. */
  choose: (name: string, value: string) => Promise<void>;
  /** Submit a form that is there, with what is filled in. */
  submit: (form: string, values: Record<string, Json>) => Promise<void>;
  /** Have the background event come. */
  wake: () => Promise<void>;
  /** Stop the snap and start it again. */
  restart: () => void;
};

/** Open the home page. */
export async function openHome(app = createTestApp()): Promise<HomeBench> {
  const { edges } = app;
  const { id } = (await app.entry.onHomePage()) as { id: string };
  const bench: HomeBench = {
    app,
    id,
    page: () => edges.screens.get(id) as JSXElement,
    texts: () => textsOf(bench.page()),
    notices: () => warningsOf(bench.page()),
    place: () => edges.screens.contexts.get(id) as HomePlace,
    click: async (name) => {
      assertPressable(name, bench.page());
      await input(bench, { type: UserInputEventType.ButtonClickEvent, name });
    },
    choose: async (name, value) =>
      input(bench, { type: UserInputEventType.InputChangeEvent, name, value }),
    submit: async (name, values) => {
      assertForm(name, values, bench.page());
      edges.screens.filled = { [name]: values };
      const value = values as never;
      await input(bench, { type: UserInputEventType.FormSubmitEvent, name, value });
    },
    wake: async () => {
      edges.wakes.shift();
      const call = { jsonrpc: '2.0' as const, id: 1, method: HOME };
      await bench.app.entry.onCronjob({ request: { ...call, params: [id] } });
    },
    restart: () => {
      bench.app = createTestApp(edges);
    },
  };
  return bench;
}

async function input({ app, id }: HomeBench, event: UserInputEvent): Promise<void> {
  await app.entry.onUserInput({ id, event, context: null });
}

function assertForm(name: string, values: Record<string, Json>, page: JSXElement) {
  const form = elementsOf(page).find(
    ({ type, props }) => type === 'Form' && props.name === name,
  );
  if (!form) throw new Error(`There is no form ${name}.`);
  const fields = new Set(
    elementsOf(form.props.children).map(({ props }) => props.name),
  );
  const missing = Object.keys(values).find((field) => !fields.has(field));
  if (missing !== undefined) throw new Error(`${name} has no field ${missing}.`);
}

function assertPressable(name: string, page: JSXElement): void {
  const buttons = elementsOf(page).filter(({ type }) => type === 'Button');
  const found = buttons.find(({ props }) => props.name === name);
  if (!found) throw new Error(`There is no button ${name}.`);
  if (found.props.disabled === true) throw new Error(`${name} cannot be pressed.`);
}
