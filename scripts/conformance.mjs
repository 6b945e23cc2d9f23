#!/usr/bin/env node
// Runs MCP's conformance suite against the client and the server of mcp-bridge: pnpm conformance [SCENARIO...]
// With "--replicas", only against the server: as three replicas, of which each request goes to the next.
// "pnpm conformance inspector" lists and calls the served tools with MCP's Inspector. npx downloads it (110 MB), so it runs only on request.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const bridge = join(import.meta.dirname, '../packages/mcp-bridge')
const suite = (name) => join(bridge, 'node_modules/@modelcontextprotocol', name, 'dist/index.js')
const suites = {
  '2025-11-25': suite('conformance'),
  '2026-07-28': suite('conformance-modern'),
}
/** The scenarios about authorization of each suite: [the suite, the protocol version, the names]. */
const MODERN_AUTHORIZATION = [
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'basic-cimd',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  'pre-registration',
]
const authorization = [
  ['2025-11-25', '2025-11-25', MODERN_AUTHORIZATION],
  [
    '2025-11-25',
    '2025-03-26',
    ['2025-03-26-oauth-metadata-backcompat', '2025-03-26-oauth-endpoint-fallback'],
  ],
  [
    '2025-11-25',
    'draft',
    ['resource-mismatch', 'offline-access-scope', 'offline-access-not-supported'],
  ],
  [
    '2025-11-25',
    'extension',
    ['client-credentials-jwt', 'client-credentials-basic', 'cross-app-access-complete-flow'],
  ],
  ['2026-07-28', '2025-11-25', MODERN_AUTHORIZATION],
  [
    '2026-07-28',
    '2025-03-26',
    ['2025-03-26-oauth-metadata-backcompat', '2025-03-26-oauth-endpoint-fallback'],
  ],
  [
    '2026-07-28',
    '2026-07-28',
    [
      ...MODERN_AUTHORIZATION,
      'resource-mismatch',
      'offline-access-scope',
      'offline-access-not-supported',
      'authorization-server-migration',
      'iss-supported',
      'iss-not-advertised',
      'iss-supported-missing',
      'iss-wrong-issuer',
      'iss-unexpected',
      'iss-normalized',
      'metadata-issuer-mismatch',
    ],
  ],
  [
    '2026-07-28',
    'extension',
    [
      'client-credentials-jwt',
      'client-credentials-basic',
      'enterprise-managed-authorization',
      'dpop',
      'dpop-nonce',
      'wif-jwt-bearer',
    ],
  ],
]
/** All other scenarios. */
const scenarios = [
  ['2025-11-25', 'initialize'],
  ['2025-11-25', 'tools_call'],
  ['2025-11-25', 'elicitation-sep1034-client-defaults'],
  ['2025-11-25', 'sse-retry'],
  ['2026-07-28', 'tools_call'],
  ['2026-07-28', 'json-schema-2020-12-preservation'],
  ['2026-07-28', 'request-metadata'],
  ['2026-07-28', 'sep-2322-client-request-state'],
  ['2026-07-28', 'http-standard-headers'],
  ['2026-07-28', 'http-custom-headers'],
  ['2026-07-28', 'http-invalid-tool-headers'],
  ['2026-07-28', 'json-schema-ref-no-deref'],
  // The other client scenarios of skills are left out: this client passes skills on, and loads none.
  ['2026-07-28', 'sep-2640-client-no-prefetch', 'extension'],
]

const wanted = process.argv.slice(2).filter((word) => word !== '--replicas')
const isReplicated = process.argv.includes('--replicas')
const results = mkdtempSync(join(tmpdir(), 'toolblocks-conformance-'))
let failed = 0
for (const [version, scenario, spoken = version] of scenarios)
  runClient('client.ts', version, spoken, scenario)
for (const [from, version, names] of authorization)
  for (const name of names) runClient('auth-client.ts', from, version, `auth/${name}`)

/** Runs a scenario of a suite with a client of this project. Scenarios of extensions belong to no version. */
function runClient(file, from, version, scenario) {
  if (isReplicated) return
  if (wanted.length > 0 && !wanted.includes(scenario)) return
  const command = `${process.execPath} ${join(bridge, 'conformance', file)}`
  const args = [suites[from], 'client', '--command', command, '--scenario', scenario]
  if (version !== 'extension') args.push('--spec-version', version)
  const run = spawnSync(process.execPath, [...args, '-o', results], { encoding: 'utf8' })
  report(from === version ? version : `${from} (${version})`, scenario, run)
}

function report(what, scenario, { status, stdout, stderr }) {
  const passed = status === 0
  if (!passed) failed += 1
  console.log(`${passed ? 'passed' : 'FAILED'}  ${what}  ${scenario}`)
  if (!passed || wanted.length > 0) console.log(stdout, stderr)
}

/** Scenarios for every server, independent of its tools, and for questions. */
const serverScenarios = [
  ['2025-11-25', 'server-initialize'],
  ['2025-11-25', 'ping'],
  ['2025-11-25', 'tools-list'],
  ['2025-11-25', 'tools-call-simple-text'],
  ['2025-11-25', 'tools-call-image'],
  ['2025-11-25', 'tools-call-audio'],
  ['2025-11-25', 'tools-call-embedded-resource'],
  ['2025-11-25', 'tools-call-mixed-content'],
  ['2025-11-25', 'tools-call-error'],
  ['2025-11-25', 'tools-call-with-progress'],
  ['2025-11-25', 'tools-call-elicitation'],
  ['2025-11-25', 'elicitation-sep1034-defaults'],
  ['2025-11-25', 'elicitation-sep1330-enums'],
  ['2025-11-25', 'json-schema-2020-12'],
  ['2025-11-25', 'server-sse-multiple-streams'],
  ['2025-11-25', 'server-sse-polling'],
  ['2025-11-25', 'dns-rebinding-protection'],
  ['2025-11-25', 'logging-set-level'],
  ['2025-11-25', 'completion-complete'],
  ['2025-11-25', 'tools-call-with-logging'],
  ['2025-11-25', 'tools-call-sampling'],
  ['2025-11-25', 'resources-list'],
  ['2025-11-25', 'resources-read-text'],
  ['2025-11-25', 'resources-read-binary'],
  ['2025-11-25', 'resources-templates-read'],
  ['2025-11-25', 'resources-subscribe'],
  ['2025-11-25', 'resources-unsubscribe'],
  ['2025-11-25', 'prompts-list'],
  ['2025-11-25', 'prompts-get-simple'],
  ['2025-11-25', 'prompts-get-with-args'],
  ['2025-11-25', 'prompts-get-embedded-resource'],
  ['2025-11-25', 'prompts-get-with-image'],
  ['2026-07-28', 'tools-list'],
  ['2026-07-28', 'tools-call-simple-text'],
  ['2026-07-28', 'tools-call-image'],
  ['2026-07-28', 'tools-call-audio'],
  ['2026-07-28', 'tools-call-embedded-resource'],
  ['2026-07-28', 'tools-call-mixed-content'],
  ['2026-07-28', 'tools-call-error'],
  ['2026-07-28', 'tools-call-with-progress'],
  ['2026-07-28', 'json-schema-2020-12'],
  ['2026-07-28', 'server-stateless'],
  ['2026-07-28', 'http-custom-header-server-validation'],
  ['2026-07-28', 'dns-rebinding-protection'],
  ['2026-07-28', 'http-header-validation'],
  ['2026-07-28', 'server-sse-multiple-streams'],
  ['2026-07-28', 'sep-2164-resource-not-found'],
  ['2026-07-28', 'input-required-result-basic-elicitation'],
  ['2026-07-28', 'input-required-result-request-state'],
  ['2026-07-28', 'input-required-result-multi-round'],
  ['2026-07-28', 'input-required-result-missing-input-response'],
  ['2026-07-28', 'input-required-result-result-type'],
  ['2026-07-28', 'input-required-result-unsupported-methods'],
  ['2026-07-28', 'input-required-result-tampered-state'],
  ['2026-07-28', 'input-required-result-ignore-extra-params'],
  ['2026-07-28', 'input-required-result-validate-input'],
  ['2026-07-28', 'completion-complete'],
  ['2026-07-28', 'resources-list'],
  ['2026-07-28', 'resources-read-text'],
  ['2026-07-28', 'resources-read-binary'],
  ['2026-07-28', 'resources-templates-read'],
  ['2026-07-28', 'prompts-list'],
  ['2026-07-28', 'prompts-get-simple'],
  ['2026-07-28', 'prompts-get-with-args'],
  ['2026-07-28', 'prompts-get-embedded-resource'],
  ['2026-07-28', 'prompts-get-with-image'],
  ['2026-07-28', 'caching'],
  ['2026-07-28', 'input-required-result-basic-sampling'],
  ['2026-07-28', 'input-required-result-basic-list-roots'],
  ['2026-07-28', 'input-required-result-multiple-input-requests'],
  ['2026-07-28', 'input-required-result-non-tool-request'],
  ['2026-07-28', 'input-required-result-capability-check'],
  // "tasks-required-task-error" is left out: it wants a client without tasks to be refused, and such a client gets the result at the end of the call.
  ['2026-07-28', 'server-session-lifecycle', '2025-11-25'],
  ['extension', 'sep-2640-skills-enumeration'],
  ['extension', 'sep-2640-skills-manifest'],
  ['extension', 'sep-2640-skills-directory'],
  ['extension', 'tasks-lifecycle'],
  ['extension', 'tasks-capability-negotiation'],
  ['extension', 'tasks-wire-fields'],
  ['extension', 'tasks-request-state-removal'],
  ['extension', 'tasks-mrtr-input'],
  ['extension', 'tasks-mrtr-composition'],
  ['extension', 'tasks-request-headers'],
  ['extension', 'tasks-dispatch-and-envelope'],
  ['extension', 'tasks-status-notifications'],
]
const server = spawn(
  process.execPath,
  [join(bridge, 'conformance/server.ts'), ...(isReplicated ? ['3'] : [])],
  {
    stdio: ['pipe', 'pipe', 'inherit'],
  },
)
const url = await new Promise((resolve) => {
  server.stdout.once('data', (line) => resolve(String(line).trim()))
})
for (const [version, scenario, spoken = version] of serverScenarios) {
  if (wanted.length > 0 && !wanted.includes(scenario)) continue
  const suiteOfScenario = suites[version] ?? suites['2026-07-28']
  const args = [suiteOfScenario, 'server', '--url', url, '--scenario', scenario, '-o', results]
  if (version === '2026-07-28') args.push('--spec-version', spoken)
  report(`server ${spoken}`, scenario, spawnSync(process.execPath, args, { encoding: 'utf8' }))
}
if (wanted.includes('inspector')) {
  const inspect = (...args) =>
    spawnSync('npx', ['-y', '@modelcontextprotocol/inspector@2.12.0', '--cli', url, ...args], {
      encoding: 'utf8',
    })
  report('inspector', 'tools/list', inspect('--method', 'tools/list'))
  const called = inspect('--method', 'tools/call', '--tool-name', 'test_simple_text')
  const isWhole = called.stdout.includes('This is a simple text response for testing.')
  report('inspector', 'tools/call', isWhole ? called : { ...called, status: 1 })
}
server.stdin.end()
rmSync(results, { recursive: true })
process.exitCode = failed === 0 ? 0 : 1
