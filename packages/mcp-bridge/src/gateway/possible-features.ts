import type { JsonObject } from '@toolblocks/protocol'

/** What a server that is still starting may offer. A client does not ask for what was not announced. */
export const POSSIBLE_CAPABILITIES: JsonObject = {
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  logging: {},
  completions: {},
}

/** The answers to requests for what was announced, if no server offers it, by method. */
export const EMPTY_ANSWERS: Readonly<Record<string, JsonObject>> = {
  'prompts/list': { prompts: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
  'logging/setLevel': {},
}
