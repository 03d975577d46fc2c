package sample;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Answers on 8080: /ready, and a greeting with a counter for anything else. */
public class Orders {
  private static int visits;

  public static void main(String[] args) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(8080), 0);
    server.createContext("/ready", exchange -> answer(exchange, "ok\n"));
    server.createContext("/", exchange -> answer(exchange, greet(exchange.getRequestURI().getPath())));
    server.start();
    System.out.println("listening on 8080");
  }

  private static synchronized String greet(String path) {
    visits += 1;
    return "orders " + path + " " + visits + "\n";
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes();
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
