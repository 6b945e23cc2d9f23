// Published MCP servers: how they are installed and started without an account, and requests to them that need no network.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY = 'not-a-valid-key'
/** The folder that stands in arguments, recordings and comparisons for the temporary folder of a server. */
export const DATA = '/data'
/** Stands for the folder of installed packages in variables. */
export const PACKAGES = '/packages'
/** Stands for the home folder of a server. */
const HOME = '/home/user'

const entity = { name: 'Ann', entityType: 'person', observations: ['tall'] }
const thought = { thought: 'Count.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
export const call = (name, args = {}) => ['tools/call', { name, arguments: args }]

/** The servers: the package, its program, arguments and variables, and requests after the lists. */
export const SERVERS = {
  everything: {
    package: '@modelcontextprotocol/server-everything',
    args: ['stdio'],
    requests: [
      call('echo', { message: 'hi' }),
      call('get-sum', { a: 2, b: 3 }),
      call('get-annotated-message', { messageType: 'error', includeImage: true }),
      call('get-resource-links', { count: 3 }),
      call('get-resource-reference', { resourceType: 'Blob', resourceId: 2 }),
      call('get-structured-content', { location: 'New York' }),
      call('get-tiny-image'),
      call('echo', { message: 3 }),
      ['prompts/get', { name: 'simple-prompt' }],
      ['prompts/get', { name: 'args-prompt', arguments: { city: 'Oslo' } }],
      ['resources/read', { uri: 'demo://resource/dynamic/text/1' }],
    ],
  },
  filesystem: {
    package: '@modelcontextprotocol/server-filesystem',
    args: [DATA],
    requests: [
      call('list_directory', { path: DATA }),
      call('read_text_file', { path: `${DATA}/a.txt` }),
      call('read_media_file', { path: `${DATA}/b.wav` }),
      call('directory_tree', { path: DATA }),
      call('read_text_file', { path: '/etc/passwd' }),
    ],
  },
  memory: {
    package: '@modelcontextprotocol/server-memory',
    env: { MEMORY_FILE_PATH: `${DATA}/memory.jsonl` },
    requests: [
      call('create_entities', { entities: [entity] }),
      call('read_graph'),
      call('search_nodes', { query: 'Ann' }),
    ],
  },
  'sequential-thinking': {
    package: '@modelcontextprotocol/server-sequential-thinking',
    requests: [call('sequentialthinking', thought)],
  },
  playwright: { package: '@playwright/mcp' },
  'chrome-devtools': { package: 'chrome-devtools-mcp', args: ['--no-usage-statistics'] },
  context7: { package: '@upstash/context7-mcp' },
  notion: { package: '@notionhq/notion-mcp-server', env: { NOTION_TOKEN: KEY } },
  mongodb: { package: 'mongodb-mcp-server', env: { MDB_MCP_TELEMETRY: 'disabled' } },
  'desktop-commander': {
    package: '@wonderwhy-er/desktop-commander',
    program: 'desktop-commander',
    requests: [
      call('list_directory', { path: DATA }),
      call('read_file', { path: `${DATA}/a.txt` }),
    ],
  },
  figma: {
    package: 'figma-developer-mcp',
    args: ['--stdio', `--figma-api-key=${KEY}`],
  },
  firecrawl: { package: 'firecrawl-mcp', env: { FIRECRAWL_API_KEY: KEY } },
  tavily: { package: 'tavily-mcp', env: { TAVILY_API_KEY: KEY } },
  exa: { package: 'exa-mcp-server', env: { EXA_API_KEY: KEY } },
  kubernetes: { package: 'mcp-server-kubernetes' },
  github: {
    package: '@modelcontextprotocol/server-github',
    // Its answers are those of GitHub's API that this package has recorded.
    beside: ['@octokit/fixtures'],
    env: {
      NODE_OPTIONS: `--import=${import.meta.dirname}/answer-as-github.mjs`,
      OCTOKIT_FIXTURES: `${PACKAGES}/@octokit/fixtures`,
    },
    requests: [
      call('list_issues', { owner: 'octokit-fixture-org', repo: 'paginate-issues' }),
      call('search_issues', { q: 'sesame repo:octokit-fixture-org/search-issues' }),
      call('get_issue', {
        owner: 'octokit-fixture-org',
        repo: 'paginate-issues',
        issue_number: 13,
      }),
    ],
  },
}

/** Installs packages of npm into a folder, without their install scripts. */
export function installServers(folder, packages) {
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  const { status } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages],
    { cwd: folder, stdio: ['inherit', 2, 2] },
  )
  if (status !== 0) throw new Error('npm install failed')
}

/** Returns the manifest of an installed server, the folder with it, and the file that Node.js runs. */
export function findServer(folder, { package: from, program }) {
  const root = join(folder, 'node_modules', from)
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { bin } = manifest
  const file = typeof bin === 'string' ? bin : (bin[program] ?? Object.values(bin)[0])
  return { root, manifest, file: join(root, file) }
}

/** Makes an own home folder for one start of a server, with two files that it can read, and returns its variables. */
export function makeHome(parent, env = {}) {
  const home = mkdtempSync(join(parent, 'home-'))
  const data = join(home, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'a.txt'), 'one\ntwo\n')
  writeFileSync(join(data, 'b.wav'), 'RIFFxxxxWAVE')
  const fillIn = (value) => JSON.parse(JSON.stringify(value).replaceAll(DATA, data))
  const hide = (value) =>
    JSON.parse(JSON.stringify(value).replaceAll(data, DATA).replaceAll(home, HOME))
  const variables = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    ...fillIn(env),
  }
  return { home, data, env: variables, fillIn, hide }
}
