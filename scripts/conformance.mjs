#!/usr/bin/env node
// Runs MCP's conformance suite against the client and the server of mcp-bridge: pnpm conformance [SCENARIO...]
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
/** All scenarios except those about authorization, which a host provides as headers. */
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
]

const wanted = process.argv.slice(2)
const results = mkdtempSync(join(tmpdir(), 'toolblocks-conformance-'))
let failed = 0
for (const [version, scenario] of scenarios) {
  if (wanted.length > 0 && !wanted.includes(scenario)) continue
  const command = `${process.execPath} ${join(bridge, 'conformance/client.ts')}`
  const args = [
    suites[version],
    'client',
    '--command',
    command,
    '--scenario',
    scenario,
    '--spec-version',
    version,
    '-o',
    results,
  ]
  const run = spawnSync(process.execPath, args, { encoding: 'utf8' })
  report(version, scenario, run)
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
]
const server = spawn(process.execPath, [join(bridge, 'conformance/server.ts')], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const url = await new Promise((resolve) => {
  server.stdout.once('data', (line) => resolve(String(line).trim()))
})
for (const [version, scenario] of serverScenarios) {
  if (wanted.length > 0 && !wanted.includes(scenario)) continue
  const args = [suites[version], 'server', '--url', url, '--scenario', scenario, '-o', results]
  if (version !== '2025-11-25') args.push('--spec-version', version)
  report(`server ${version}`, scenario, spawnSync(process.execPath, args, { encoding: 'utf8' }))
}
if (wanted.includes('inspector')) {
  const inspect = (...words) =>
    spawnSync('npx', ['-y', '@modelcontextprotocol/inspector@2.12.0', '--cli', url, ...words], {
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
