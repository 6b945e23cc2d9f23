import { isJsonObject } from '@toolblocks/protocol'
import { isDeepStrictEqual } from 'node:util'
import type { CommandContext } from '../../terminal/command-context.ts'
import { waitAtTerminal } from '../../workspace/locks/wait-at-terminal.ts'
import { changeHostFile, findHostFile, type HostPlan } from './change-host-file.ts'
import { isGateway, isSameGateway, restoreEntry, servesSame } from './gateway-entry.ts'
import { type HostChange, type HostServer, isEntrySource } from './host-file.ts'
import type { InstalledEntry } from './install-entry.ts'
import { openReplacedEntries } from './replaced-entries.ts'
import { describePlace, formatName, refuseName } from './server-name.ts'

/**
 * Removes the entries of the gateway from the host's file, after a person has seen the change and agreed: those with the name, or else those that
 * serve the same. An entry that started the server directly before is put back.
 */
export async function uninstallEntry(
  context: CommandContext,
  { host, entry, programs, isNamed, yes = false }: InstalledEntry,
): Promise<number> {
  const refused = refuseName(context.terminal, entry.name)
  if (refused !== undefined) return refused
  const file = findHostFile(host)
  const replaced = openReplacedEntries(file, waitAtTerminal(context))
  const makePlan = (servers: readonly HostServer[]): HostPlan => {
    const gateways = servers.filter((server) => isGateway(server.entry))
    const chosen = gateways.filter((server) =>
      isNamed ? server.name === entry.name : servesSame(server.entry, entry, programs),
    )
    if (chosen.length === 0) return refuse(servers, gateways)
    const damaged = replaced.findDamaged()
    if (damaged !== undefined)
      return {
        kind: 'refused',
        message: `${damaged} is damaged, and may have the entry that started the server before; correct it or remove it first`,
      }
    const changes = chosen.flatMap(({ name, project, entry: gateway }): readonly HostChange[] => {
      const where = project === undefined ? {} : { project }
      const earlier = replaced.find({ name, ...where })
      // The name may be that of another server by now.
      if (!earlier || !isJsonObject(gateway) || !isSameGateway(gateway, earlier.gateway))
        return [{ name, ...where }]
      const { earlierName, source } = earlier
      const restored = restoreEntry(earlier, gateway)
      const isSame = isDeepStrictEqual(restored, earlier.entry)
      const back = {
        name: earlierName,
        ...where,
        entry: restored,
        ...(isSame &&
          source !== undefined &&
          isEntrySource(host, source, { name: earlierName, ...where, entry: restored }) && {
            source,
          }),
      }
      return earlierName === name ? [back] : [{ name, ...where }, back]
    })
    const back = changes.filter(({ entry: earlier }) => earlier !== undefined)
    const taken = back.find((change) =>
      servers.some(
        (server) =>
          server.name === change.name &&
          server.project === change.project &&
          !chosen.includes(server),
      ),
    )
    if (taken)
      return {
        kind: 'refused',
        message: `the entry that started the server before was ${describePlace(taken)}, and it has another server of this name; rename or remove that one first`,
      }
    const gone = changes.filter(({ entry: earlier }) => earlier === undefined)
    const done = [
      ...(gone.length > 0
        ? [`Removed ${gone.map(describePlace).join(' and ')} from ${file}.`]
        : []),
      ...back.map((each) => `${describePlace(each)} in ${file} starts the server directly again.`),
    ]
    return {
      kind: 'changed',
      changes,
      finish: async () => {
        for (const server of chosen) await replaced.forget(server)
      },
      message: done.join('\n'),
    }
  }
  const refuse = (servers: readonly HostServer[], gateways: readonly HostServer[]): HostPlan => {
    const names = gateways.map(({ name }) => formatName(name))
    const others = names.length === 0 ? '' : `; name one with --name: ${names.join(', ')}`
    const wanted = isNamed ? `no server ${JSON.stringify(entry.name)}` : 'no server'
    const isOther = isNamed && servers.some(({ name }) => name === entry.name)
    const message = isOther
      ? `${JSON.stringify(entry.name)} does not start toolblocks serve${others}`
      : `it has ${wanted} that this command ${isNamed ? 'starts' : 'would start'}${others}`
    return { kind: 'refused', message }
  }
  return await changeHostFile(context, { host, yes }, makePlan)
}
