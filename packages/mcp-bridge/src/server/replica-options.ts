import type { SharedDocuments } from './shared-documents.ts'

/** How long, and how much of it, a stream is kept after its connection was cut. */
export interface StreamLimits {
  /** Milliseconds in which a client can continue a stream after its connection was cut, or after its end. Default: 60 s. */
  readonly keepStreamMs?: number
  /** The maximum bytes of the messages of one stream that are kept. Default: 1 MiB. */
  readonly maxStreamBytes?: number
}

/** How this process serves with others, so that each of them answers the requests of every session. */
export interface ReplicaOptions extends StreamLimits {
  /** Where the replicas keep sessions and streams: the documents of a store that all of them use. */
  readonly documents: SharedDocuments
  /** 32 bytes that all replicas know, and nobody else: with them they prove to each other who sends a request. */
  readonly key: Uint8Array
  /**
   * The address at which the other replicas reach this one, for example `http://10.0.0.5:8080`: HTTP without TLS, inside a
   * network that you trust or that encrypts. They send requests to its path `/mcp`.
   */
  readonly address: string
  /** Milliseconds without a sign of life after which others take over the sessions of a replica. Default: 6000. */
  readonly deadAfterMs?: number
  /**
   * Returns what identifies the credentials that this replica accepts, such as the hashes of its tokens. The others see a digest of it, and `onProblem` is called if they differ.
   */
  readonly getAccess?: () => string
  /** Called with a sentence for the operator when the replicas are not set up as they must be. */
  readonly onProblem?: (message: string) => void
}
