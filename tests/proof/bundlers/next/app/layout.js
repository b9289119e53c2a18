export default ({ children }) => (
  <html suppressHydrationWarning>
    <body>{children}</body>
  </html>
);
