// A model on loopback that calls tools in their order, and keeps what it receives.
import { createServer } from 'node:http'

/** Starts a model of a provider (`wire`). `calls`: its calls, or a function that returns the next one from the results so far. `results` has what it received of each call, `last` its last request with results, and `times` when each result came. */
export async function startModel({ wire, toCall = callTool }, calls) {
  const next = typeof calls === 'function' ? calls : ({ length }) => calls[length]
  const results = []
  const times = []
  let last = ''
  let requests = 0
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      const body = text.startsWith('{') ? JSON.parse(text) : {}
      const tools = listTools(body.tools ?? [])
      // Hosts also make requests without tools, for example for the title of a conversation.
      const toolMessages =
        tools.length === 0 ? [] : wire.read(body).filter(({ role }) => role === 'tool')
      if (toolMessages.length > 0) last = text
      results.splice(0, toolMessages.length, ...toolMessages.map(({ content }) => content))
      for (const index of toolMessages.keys()) times[index] ??= Date.now()
      const call = tools.length === 0 ? undefined : next(results)
      const made = call && toCall(tools, call)
      const named = made
        ? [
            {
              id: `call_${toolMessages.length}`,
              name: made.tool.name,
              values: JSON.stringify(made.input),
            },
          ]
        : []
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const events = wire.write({ pieces: made ? [] : ['Done.'], calls: named }).join('')
      // LangGraph replaces a message by a later one with the same id.
      const own = events.replaceAll('"id":"m"', `"id":"m${(requests += 1)}"`)
      response.end(made?.tool.namespace ? addNamespace(own, made.tool) : own)
    })
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    results,
    times,
    last: () => last,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Finds the tool that a call means. */
function callTool(tools, { tool: wanted, input }) {
  const tool = tools.find(({ name }) => isTool(name, wanted))
  return tool && { tool, input }
}

/** Returns the tools of a request. Codex has those of a server in a namespace. */
function listTools(tools, namespace) {
  return tools.flatMap(({ name, function: inFunction, functionDeclarations, tools: inside }) =>
    functionDeclarations || inside
      ? listTools(functionDeclarations ?? inside, inside && name)
      : [{ name: name ?? inFunction?.name, namespace }],
  )
}

function addNamespace(events, { name, namespace }) {
  const named = `"name":${JSON.stringify(name)}`
  return events.replaceAll(named, `${named},"namespace":${JSON.stringify(namespace)}`)
}

/** Hosts put the name of the server before the name of the tool, and may replace characters. */
function isTool(name, tool = ' ') {
  const [actual, wanted] = [name, tool].map((text = '') => text.replaceAll('-', '_'))
  return actual === wanted || actual.endsWith(`_${wanted}`)
}
