import type { ServedClient } from '@toolblocks/mcp-bridge/server'
import type { JsonObject } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { OnDenied } from '../../workspace/consent/create-approver.ts'
import type { PersonLogins } from '../../workspace/servers/person-login.ts'
import type { RightsOfClients } from './clients/client-rights.ts'
import type { CreatedService, ServiceOptions } from './create-service.ts'
import type { OpenedService } from './open-service.ts'
import type { RecordedConversation } from './recorded-conversation.ts'

/** What is served, and how. */
export interface ServedTools extends Omit<
  ServiceOptions,
  'record' | 'conversation' | 'client' | 'starting' | 'turns' | 'kept'
> {
  opened: Extract<OpenedService, { ok: true }>
  /** The key that all processes with the store share. Absent: each process has its own clients. */
  stateKey?: Uint8Array | undefined
  /** Whether other processes may continue sessions. Default: no. */
  isReplicated?: boolean
  /** Milliseconds that a client waits for servers that are still starting. */
  patienceMs: number
  warn(message: string): void
  /** Called when a rule denies a call. Default: only the result of the call says it. */
  onDenied?: OnDenied
  /** The service of the only client, over standard streams. Its caller closes it. Absent: each client has services of its own. */
  only?: OnlyService
  /** Called with the tools of a client when a server has changed them. */
  onEntries?(entries: readonly ToolEntry[]): void
  /** The logins of a client at servers with `login = "each"`. Absent: there are no such servers. */
  people?(client: ServedClient): PersonLogins
  /** What each client may do. Default: everything. */
  rights?: RightsOfClients
  /** Whether clients are offered a tool with this name. */
  isOffered(name: string): boolean
}

/** A service that one client uses, with what its connections declare. */
interface OnlyService extends Omit<RecordedConversation, 'services'> {
  created: CreatedService
  capabilities: JsonObject
}
