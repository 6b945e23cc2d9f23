import type { Configuration } from '../configuration/configuration.ts'
import type { WrittenServer } from '../servers/written-servers.ts'

/** The part of a configuration that a want is about. The part has no effect until the user agrees to all its wants. */
export type WantedPart =
  | `tool ${string}`
  | `server ${string}`
  | `agent ${string}`
  | `prompt ${string}`
  | `rule ${string}`
  | 'resources'
  | 'model'
  | 'questions'
  | 'serve'
  | 'store'

/** The values that wants are made from. */
export interface WantSources {
  configuration: Pick<
    Configuration,
    | 'root'
    | 'tools'
    | 'mcp'
    | 'model'
    | 'agents'
    | 'prompts'
    | 'resources'
    | 'approvals'
    | 'questions'
    | 'serve'
    | 'store'
  >
  /** Every server, from both files. */
  servers: readonly WrittenServer[]
  /** Programs are looked up in its `PATH`. Of other variables only the names are used. */
  environment: Readonly<Record<string, string | undefined>>
}
