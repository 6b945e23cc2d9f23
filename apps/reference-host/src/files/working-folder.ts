/** The folder a command works on: where it was typed, also where the script of a clone changed the folder before it ran. */
export function workingFolder(
  current: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const { INIT_CWD: typedIn, npm_package_name: owner, npm_lifecycle_event: script } = environment
  const isOwnScript = owner === 'toolblocks-monorepo' && script === 'toolblocks'
  return isOwnScript && typedIn !== undefined ? typedIn : current
}
