/** One protocol of the service, listening. */
export interface ProtocolServer {
  /** On 127.0.0.1, and on ::1 where there is one. */
  readonly port: number;
  stopAccepting(): void;
  /** Resolves when all connections have ended by themselves. Calls that are open go on, no new one begins. */
  ended(): Promise<void>;
  /** Ends what is left, at once. */
  destroy(): void;
}
