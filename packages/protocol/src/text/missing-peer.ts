/** Code of Node's error for a module that is not installed, and of the error that says what to install. */
const CODE = 'ERR_MODULE_NOT_FOUND'

/**
 * Converts the error of an import into one that says what to install, if the missing module is an optional peer. Its `code` is
 * `ERR_MODULE_NOT_FOUND`, its `cause` the original error. Any other error is returned unchanged.
 */
export function describeMissingPeer(
  cause: unknown,
  { entry, peer }: { entry: string; peer: string },
): unknown {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === CODE
  if (!isMissing || !cause.message.includes(`'${peer}'`)) return cause
  const message = `${entry} needs ${peer}, an optional peer: npm install ${peer}`
  return Object.assign(new Error(message, { cause }), { code: CODE })
}
