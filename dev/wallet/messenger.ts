// MetaMask's controllers talk over a tree of messengers. This builds that tree; it
// is the only place that sees past its types.
import {
  Messenger,
  type ActionConstraint,
  type EventConstraint,
} from '@metamask/messenger';

/** The messenger at the root of one wallet, which carries every action and event. */
export type RootMessenger = Messenger<string, ActionConstraint, EventConstraint>;

/** What a child may call and hear, beside what it registers itself. */
export type Delegation = { actions?: string[]; events?: string[] };

/**
 * Create the root messenger of one wallet.
 *
 * @returns A messenger without actions of its own.
 */
export function createRootMessenger(): RootMessenger {
  return new Messenger({ namespace: 'Root' });
}

/**
 * Create the messenger of one controller, or of our own code.
 *
 * @param root - The wallet's root, through which it reaches the others.
 * @param namespace - The prefix of what it registers.
 * @param delegation - The actions that it may call and events that it may hear.
 * @returns The messenger, typed as its controller wants it.
 */
export function createMessenger<Child>(
  root: RootMessenger,
  namespace: string,
  delegation: Delegation = {},
): Child {
  const child = new Messenger<string, ActionConstraint, EventConstraint, RootMessenger>(
    {
      namespace,
      parent: root,
    },
  );
  root.delegate({
    messenger: child,
    actions: (delegation.actions ?? []) as ActionConstraint['type'][],
    events: (delegation.events ?? []) as EventConstraint['type'][],
  });
  // Each controller types its messenger by the union of what it carries, and two
  // versions of the class are installed, nominally different by their private
  // fields and alike in behaviour. No type spans both, hence the cast.
  return child as unknown as Child;
}
