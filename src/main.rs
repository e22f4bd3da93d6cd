fn main(){
 let stop=squarewise::search::stop::StopToken::new();
 let d=std::env::args().nth(1).map_or(squarewise::bench::DEFAULT_DEPTH,|a|a.parse().unwrap());
 let t=squarewise::bench::run(d,16,&stop,&mut |i,f,x|println!("{i} {f} {} {} {:?}",x.score,x.nodes,x.line.moves().iter().map(|m|m.to_string()).collect::<Vec<_>>().join(" "))).unwrap();
 println!("{} nodes {} nps", t.nodes,t.nodes_per_second());
}
