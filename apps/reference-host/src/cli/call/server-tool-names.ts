import type { Workspace } from '../../workspace/open-workspace.ts'

/** Returns the tool names of the servers that the user has agreed to. They were not started before, because no server has the requested name. */
export async function getServerToolNames(
  { written, isAgreed }: Workspace,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { servers, configuration } = written
  const agreed = servers.filter((server) => isAgreed(`server ${server.name}`))
  if (agreed.length === 0) return []
  const { openServers } = await import('../../workspace/servers/open-servers.ts')
  const { root } = configuration
  const environment = { ...process.env }
  const opened = await openServers(agreed, { root, environment, hooks: () => ({}), signal })
  const names = opened.flatMap((one) => (one.ok ? one.server.tools().map((tool) => tool.name) : []))
  await Promise.all(opened.map(async (one) => (one.ok ? await one.server.close() : undefined)))
  return names
}
