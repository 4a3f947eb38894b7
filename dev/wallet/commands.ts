// Adapts MetaMask's commands to the snaps' execution environment, which may be of another version.
import environment from '@metamask/snaps-execution-environments/package.json' with { type: 'json' };

/** The environment's name for the parameter with the snap's id. Version 17 of MetaMask's execution
 * service always calls it `target`. */
const SNAP_ID = Number.parseInt(environment.version, 10) < 11 ? 'target' : 'snapId';

type Command = { data?: { method?: string; params?: Record<string, unknown> } };

type Write = (chunk: Command, ...rest: unknown[]) => boolean;

export function adaptCommands<Stream extends object>(stream: Stream): Stream {
  // A Duplex of readable-stream, which has no types.
  const untyped = stream as { write: Write };
  const write = untyped.write.bind(stream);
  untyped.write = (chunk, ...rest) => {
    if (chunk.data?.method !== 'snapRpc') return write(chunk, ...rest);
    const { target, snapId = target, ...others } = chunk.data.params ?? {};
    const data = { ...chunk.data, params: { ...others, [SNAP_ID]: snapId } };
    return write({ ...chunk, data }, ...rest);
  };
  return stream;
}
