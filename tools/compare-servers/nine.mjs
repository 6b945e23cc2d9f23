// The nine servers that are compared, by exact versions, with requests whose answers are the same at each run.
import { call, DATA, SERVERS } from '../published-servers/servers.mjs'

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Stands for the address of a page on this machine. */
export const PAGE = 'http://page.invalid/'

const NINE = {
  everything: {
    version: '2026.8.31',
    more: [
      call('get-env'),
      call('trigger-elicitation-request'),
      call('trigger-sampling-request', { prompt: 'Say hi.', maxTokens: 10 }),
      call('get-roots-list'),
      call('trigger-long-running-operation', { duration: 1, steps: 2 }),
      call('get-annotated-message', { messageType: 'error' }),
      ['prompts/get', { name: 'args-prompt', arguments: { city: 'Oslo', state: 'x' } }],
      ['resources/read', { uri: 'demo://resource/dynamic/blob/2' }],
    ],
  },
  filesystem: {
    version: '2026.8.31',
    more: [
      call('write_file', { path: `${DATA}/c.txt`, content: 'three\n' }),
      call('edit_file', {
        path: `${DATA}/c.txt`,
        edits: [{ oldText: 'three', newText: 'four' }],
      }),
      call('read_text_file', { path: `${DATA}/c.txt`, head: 1 }),
      call('read_multiple_files', { paths: [`${DATA}/a.txt`, `${DATA}/none.txt`] }),
      call('search_files', { path: DATA, pattern: '*.txt' }),
      call('list_allowed_directories'),
    ],
  },
  memory: {
    version: '2026.8.31',
    more: [
      call('add_observations', {
        observations: [{ entityName: 'Ann', contents: ['kind'] }],
      }),
      call('add_observations', {
        observations: [{ entityName: 'Nobody', contents: ['x'] }],
      }),
      call('open_nodes', { names: ['Ann'] }),
    ],
  },
  'sequential-thinking': { version: '2026.8.31' },
  playwright: {
    version: '0.0.83',
    args: ['--headless', '--isolated', '--no-sandbox', '--executable-path', BROWSER],
    more: [
      call('browser_navigate', { url: PAGE }),
      call('browser_snapshot'),
      call('browser_take_screenshot'),
      call('browser_click', { target: 'nothing' }),
      call('browser_evaluate', { function: '() => document.title' }),
      call('browser_close'),
    ],
  },
  'chrome-devtools': {
    version: '1.11.0',
    args: ['--headless', '--isolated', '--chromeArg=--no-sandbox', '--executablePath', BROWSER],
    more: [
      call('new_page', { url: PAGE }),
      call('list_pages'),
      call('take_snapshot', { pageId: 2 }),
      call('take_screenshot', { pageId: 2 }),
      call('evaluate_script', { pageId: 2, function: '() => document.title' }),
    ],
  },
  context7: { version: '4.1.1' },
  tavily: { version: '0.2.22' },
  notion: { version: '2.5.2' },
}

/** The servers by name, with their packages, arguments, variables and requests. */
export const SERVERS_COMPARED = Object.fromEntries(
  Object.entries(NINE).map(([name, { version, args = [], more = [] }]) => {
    const server = SERVERS[name]
    return [
      name,
      {
        ...server,
        version,
        args: [...(server.args ?? []), ...args],
        requests: [...(server.requests ?? []), ...more],
      },
    ]
  }),
)
