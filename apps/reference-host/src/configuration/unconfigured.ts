import type { Configuration } from './configuration.ts'

/** The configuration of a folder that has none. */
export function unconfigured(root: string): Configuration {
  const file = root
  return {
    file,
    root,
    tools: {},
    mcp: { servers: {}, tools: {} },
    format: {},
    deduplication: {},
    budget: {},
    agents: {},
    locate: ({ path, message }) => ({ file, key: path.join('.'), message }),
  }
}
