/** Key and certificate in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}
