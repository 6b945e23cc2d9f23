/** Code of Node's error for a module that is not installed, and of the one that says what to install. */
const CODE = 'ERR_MODULE_NOT_FOUND'

/**
 * Makes of the error of an import one that says what to install, where what is missing is an optional peer: its `code` is `ERR_MODULE_NOT_FOUND`,
 * its `cause` the error that was given. Any other error is given back as it is.
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
