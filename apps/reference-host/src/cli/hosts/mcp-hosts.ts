import type { JsonObject } from '@toolblocks/protocol'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The environment that locates a user's files. */
export interface UserPlaces {
  home: string
  platform: NodeJS.Platform
  environment: Readonly<Record<string, string | undefined>>
}

/** Returns the places of the user who runs this process. */
export function getUserPlaces(): UserPlaces {
  return { home: homedir(), platform: process.platform, environment: process.env }
}

/** Where an MCP host stores servers, and how. */
interface McpHost {
  /** The usual name of the host. */
  title: string
  /** The file with the servers of a user. */
  file(places: UserPlaces): string
  /** The file with the servers of one project, inside its folder. */
  projectFile?: string
  /** The key of the servers in both files. */
  key: string
  format: 'json' | 'toml'
  /** What a written entry has before its `command` and `args`, and after them. */
  before?: JsonObject
  after?: JsonObject
}

/** MCP hosts, with the files and formats that the documentation of each host names. The help of every command reads the names, so this file imports no parser. */
const hosts = {
  claude: {
    title: 'Claude Code',
    file: ({ home, environment }) => join(environment['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
    projectFile: '.mcp.json',
    key: 'mcpServers',
    format: 'json',
    before: { type: 'stdio' },
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    file: (places) => join(applicationData(places), 'Claude/claude_desktop_config.json'),
    key: 'mcpServers',
    format: 'json',
  },
  codex: {
    title: 'Codex',
    file: ({ home, environment }) =>
      join(environment['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
    projectFile: '.codex/config.toml',
    key: 'mcp_servers',
    format: 'toml',
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    file: ({ home, environment }) =>
      join(environment['COPILOT_HOME'] || join(home, '.copilot'), 'mcp-config.json'),
    projectFile: '.github/mcp.json',
    key: 'mcpServers',
    format: 'json',
    before: { type: 'stdio' },
    after: { tools: ['*'] },
  },
  gemini: {
    title: 'Gemini CLI',
    file: ({ home }) => join(home, '.gemini/settings.json'),
    projectFile: '.gemini/settings.json',
    key: 'mcpServers',
    format: 'json',
  },
  vscode: {
    title: 'VS Code',
    file: (places) => join(applicationData(places), 'Code/User/mcp.json'),
    projectFile: '.vscode/mcp.json',
    key: 'servers',
    format: 'json',
    before: { type: 'stdio' },
  },
  cursor: {
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor/mcp.json'),
    projectFile: '.cursor/mcp.json',
    key: 'mcpServers',
    format: 'json',
  },
  zed: {
    title: 'Zed',
    file: (places) =>
      places.platform === 'darwin'
        ? join(places.home, '.config/zed/settings.json')
        : join(
            applicationData(places),
            places.platform === 'win32' ? 'Zed' : 'zed',
            'settings.json',
          ),
    projectFile: '.zed/settings.json',
    key: 'context_servers',
    format: 'json',
    before: { source: 'custom' },
    after: { env: {} },
  },
  windsurf: {
    title: 'Windsurf',
    file: ({ home }) => join(home, '.codeium/windsurf/mcp_config.json'),
    key: 'mcpServers',
    format: 'json',
  },
} satisfies Readonly<Record<string, McpHost>>

export type HostName = keyof typeof hosts

export const MCP_HOSTS: Readonly<Record<HostName, McpHost>> = hosts

/** The names of all hosts, in the order of the table. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object has exactly the keys of its type where it is written
export const HOST_NAMES = Object.keys(hosts) as HostName[]

function applicationData({ home, platform, environment }: UserPlaces): string {
  if (platform === 'darwin') return join(home, 'Library/Application Support')
  if (platform === 'win32') return environment['APPDATA'] || join(home, 'AppData/Roaming')
  return environment['XDG_CONFIG_HOME'] || join(home, '.config')
}
